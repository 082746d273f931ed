import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Client addresses are stored as IPv6, with IPv4 in mapped form. People write and read the plain form. */

/**
 * The value of an erased or absent address (docs/privacy.md): the unspecified address, which no client has. It is never counted or listed
 * as an address.
 */
const UNKNOWN = "toIPv6('::')";

/** The plain text of the unknown address. */
export const UNKNOWN_ADDRESS = '::';

/** SQL that is true if the address of an IPv6 column is known. */
export function isKnownIp(column: string): string {
  return `${column} != ${UNKNOWN}`;
}

/** SQL for the plain text of an IPv6 column: 192.0.2.7 or 2001:db8::7; '' if unknown. */
export function clientIpText(column: string): string {
  return `if(${isKnownIp(column)}, ${ipText(column)}, '')`;
}

/** Like clientIpText, for any IPv6 value, known or not. */
export function ipText(column: string): string {
  return `replaceRegexpOne(toString(${column}), '^::ffff:([0-9]+[.][0-9.]+)$', '\\\\1')`;
}

/** SQL that is true for an IPv4 in mapped form. */
export function isIpv4(ip: string): string {
  return `${ip} BETWEEN toIPv6('::ffff:0.0.0.0') AND toIPv6('::ffff:255.255.255.255')`;
}

/** SQL for the text of a network: 192.0.2.0/24 or 2001:db8:7::/48. */
export function networkText(column: string): string {
  return `concat(${ipText(column)}, if(${isIpv4(column)}, '/24', '/48'))`;
}

/** Before the text of an IPv4 in mapped form. */
const MAPPED_START = '::ffff:';

/** A plain address in the form of an IPv6 parameter. */
export function asIpv6(clientIp: string): string {
  return clientIp.includes(':') ? clientIp : `${MAPPED_START}${clientIp}`;
}

/** The plain, shortest text of an address (RFC 5952; mapped IPv4 as IPv4); null if the text is not an address. */
export function normaliseClientIp(text: string): string | null {
  if (isIPv4(text)) return text;
  if (text.startsWith(MAPPED_START) && isIPv4(text.slice(MAPPED_START.length)))
    return text.slice(MAPPED_START.length);
  if (isIP(text) === 0 || text.includes('%')) return null;
  return ipaddr.process(text).toString();
}

/** Compares two plain addresses or two networks as the engine sorts them. */
export function compareAddresses(one: string, other: string): number {
  if (!one.includes(':') && !other.includes(':')) return ipv4Of(one) - ipv4Of(other);
  const [a, b] = [bytesOf(one), bytesOf(other)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** The number of an IPv4; a prefix of its network does not count. */
function ipv4Of(text: string): number {
  let address = 0;
  let byte = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0) byte = 10 * byte + digit;
    else if (text[at] === '/') break;
    else {
      address = 256 * address + byte;
      byte = 0;
    }
  }
  return 256 * address + byte;
}

const ZERO = 48;

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

function bytesOf(text: string): readonly number[] {
  const [address] = text.split('/', 1) as [string];
  return address.includes(':')
    ? ipaddr.IPv6.parse(address).toByteArray()
    : [...MAPPED, ...address.split('.').map(Number)];
}
