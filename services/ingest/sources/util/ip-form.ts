/** The written forms of addresses, by hand: the regular expressions of `node:net` cost several times as much, and every line has an address. */

const DOT = 46;
const COLON = 58;

/** Four decimal octets. */
export function isIPv4(text: string): boolean {
  return endsAsIPv4(text, 0);
}

/** Whether the text from an index on is four decimal octets. */
function endsAsIPv4(text: string, from: number): boolean {
  const length = text.length - from;
  if (length < 7 || length > 15) return false;
  let dots = 0;
  let value = 0;
  let digits = 0;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (digits === 0 || ++dots > 3) return false;
      value = 0;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      // Some engines read a leading zero as octal, so such an address is ambiguous.
      if (digits > 0 && value === 0) return false;
      value = value * 10 + code - 48;
      if (++digits > 3 || value > 255) return false;
    } else return false;
  }
  return dots === 3 && digits > 0;
}

/** Like `isIPv6` of `node:net`, but false for an address with a zone. */
export function isIPv6(text: string): boolean {
  const length = text.length;
  let groups = 0;
  let hasGap = false;
  let at = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    hasGap = true;
    at = 2;
  }
  while (at < length) {
    const start = at;
    while (at < length && isHexDigit(text.charCodeAt(at))) at++;
    if (at < length && text.charCodeAt(at) === DOT) {
      groups += 2;
      return endsAsIPv4(text, start) && (hasGap ? groups <= 7 : groups === 8);
    }
    if (at === start || at - start > 4 || ++groups > 8) return false;
    if (at === length) break;
    if (text.charCodeAt(at) !== COLON || ++at === length) return false;
    if (text.charCodeAt(at) === COLON) {
      if (hasGap) return false;
      hasGap = true;
      at++;
    }
  }
  return hasGap ? groups <= 7 : groups === 8;
}

/**
 * Whether a normalised address belongs to a local network (private, loopback, link-local, carrier-grade NAT,
 * unspecified). Such a peer is a proxy, not a visitor.
 */
export function isLocalIp(ip: string): boolean {
  const colon = ip.indexOf(':');
  return colon === -1 ? isLocalIPv4(ip) : isLocalIPv6(ip, colon);
}

function isLocalIPv4(ip: string): boolean {
  const dot = ip.indexOf('.');
  const first = readOctet(ip, 0, dot);
  if (first === 0 || first === 10 || first === 127) return true;
  if (first !== 100 && first !== 169 && first !== 172 && first !== 192) return false;
  const second = readOctet(ip, dot + 1, ip.indexOf('.', dot + 1));
  if (first === 100) return second >= 64 && second <= 127;
  if (first === 172) return second >= 16 && second <= 31;
  return second === (first === 169 ? 254 : 168);
}

function readOctet(ip: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + ip.charCodeAt(at) - 48;
  return value;
}

function isLocalIPv6(ip: string, colon: number): boolean {
  const first = Number.parseInt(ip.slice(0, colon), 16) || 0;
  if (first !== 0) return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80;
  // `::0.0.0.1` is the old form of an IPv4 address, which is not local.
  if (ip.lastIndexOf(':') === 1 && ip.includes('.')) return false;
  // `::` and `::1`, however many zeros are written out.
  const last = ip.length - 1;
  const code = ip.charCodeAt(last);
  return (code === 48 || code === 49 || code === COLON) && hasOnlyZeros(ip, last);
}

/** Whether the first characters of an address have no digit except 0. */
export function hasOnlyZeros(ip: string, to: number): boolean {
  for (let at = 0; at < to; at++) {
    const code = ip.charCodeAt(at);
    if (code !== 48 && code !== COLON && code !== DOT) return false;
  }
  return true;
}

function isHexDigit(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 102);
}
