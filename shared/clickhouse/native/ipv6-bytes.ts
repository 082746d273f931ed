import ipaddr from 'ipaddr.js';

const DOT = 46;
const ZERO = 48;

/**
 * Writes the 16 bytes of an address; an IPv4 address becomes ::ffff:a.b.c.d.
 * @throws Error where the text is no address.
 */
export function ipv6Bytes(text: string, target: Uint8Array, offset: number): void {
  if (text.includes(':')) {
    target.set(ipaddr.IPv6.parse(text).toByteArray(), offset);
    return;
  }
  target.fill(0, offset, offset + 10);
  target[offset + 10] = 0xff;
  target[offset + 11] = 0xff;
  writeIpv4(text, target, offset + 12);
}

function writeIpv4(text: string, target: Uint8Array, offset: number): void {
  let part = 0;
  let digits = 0;
  let value = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : DOT;
    if (code === DOT) {
      if (digits === 0 || value > 255 || part > 3) throw notAnAddress(text);
      target[offset + part++] = value;
      digits = 0;
      value = 0;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9 || ++digits > 3) throw notAnAddress(text);
    value = 10 * value + digit;
  }
  if (part !== 4) throw notAnAddress(text);
}

function notAnAddress(text: string): Error {
  return new Error(`not an IP address: ${JSON.stringify(text)}`);
}
