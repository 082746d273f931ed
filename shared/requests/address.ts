/** IP addresses as numbers, for range tables. */

/** IPv4 as one unsigned number, IPv6 as four 32-bit words (most significant first); null: not an address. */
export type Address = number | Uint32Array | null;

/**
 * Parses a textual address. IPv4-mapped IPv6 (::ffff:192.0.2.1) counts as IPv4. Octal, hexadecimal and short IPv4 forms
 * and zone ids are refused: they do not occur in logs, and parsers disagree about them.
 */
export function parseAddress(text: string): Address {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text, 0);
}

function parseIpv4(text: string, start: number): number | null {
  let address = 0;
  let octet = -1;
  let octets = 0;
  for (let i = start; i <= text.length; i += 1) {
    const code = i === text.length ? 46 : text.charCodeAt(i);
    if (code === 46) {
      if (octet < 0 || octets === 4) return null;
      address = address * 256 + octet;
      octets += 1;
      octet = -1;
    } else if (code >= 48 && code <= 57) {
      if (octet === 0) return null;
      octet = (octet < 0 ? 0 : octet * 10) + code - 48;
      if (octet > 255) return null;
    } else {
      return null;
    }
  }
  return octets === 4 ? address : null;
}

/**
 * Groups of the address being parsed. Reused, since most addresses are only looked up. A complete address sets all
 * eight.
 */
const groups = new Uint16Array(8);

function parseIpv6(text: string): Address {
  let count = 0;
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    if (count === 8) return null;
    const end = endOfHex(text, at);
    if (end === at || end - at > 4) return null;
    if (end < text.length && text.charCodeAt(end) === 46) {
      const tail = parseIpv4(text, at);
      if (tail === null || count > 6) return null;
      groups[count] = tail / 65_536;
      groups[count + 1] = tail % 65_536;
      count += 2;
      break;
    }
    groups[count] = Number.parseInt(text.slice(at, end), 16);
    count += 1;
    at = end;
    if (at === text.length) break;
    if (text.charCodeAt(at) !== 58) return null;
    at += 1;
    if (text.charCodeAt(at) === 58) {
      if (gap >= 0) return null;
      gap = count;
      at += 1;
    } else if (at === text.length) {
      return null;
    }
  }
  if (gap < 0 ? count !== 8 : count === 8) return null;
  if (gap >= 0) {
    groups.copyWithin(8 - (count - gap), gap, count);
    groups.fill(0, gap, 8 - (count - gap));
  }
  return joinGroups();
}

function endOfHex(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end) | 32;
    const digit = code >= 48 && code <= 57;
    const letter = code >= 97 && code <= 102;
    if (!digit && !letter) break;
    end += 1;
  }
  return end;
}

function joinGroups(): Address {
  const words = new Uint32Array(4);
  for (let i = 0; i < 4; i += 1) {
    words[i] = (groups[2 * i] as number) * 65_536 + (groups[2 * i + 1] as number);
  }
  const mapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return mapped ? (words[3] as number) : words;
}
