import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Client addresses are stored as IPv6, an IPv4 address in its mapped form; people write and read them plainly. */

/**
 * Stands where the address is not known any more, or never was (docs/privacy.md): the unspecified address, which no client has. It
 * is nobody's, so it is never counted or listed as an address.
 */
const UNKNOWN = "toIPv6('::')";

/** The address that stands for none, plain. */
export const UNKNOWN_ADDRESS = '::';

/** SQL that holds where the address of an IPv6 column is known. */
export function isKnownIp(column: string): string {
  return `${column} != ${UNKNOWN}`;
}

/** SQL for the plain text of an IPv6 column: 192.0.2.7 or 2001:db8::7; '' where it is not known. */
export function clientIpText(column: string): string {
  return `if(${isKnownIp(column)}, ${ipText(column)}, '')`;
}

/** The same of any IPv6, known or not. */
export function ipText(column: string): string {
  return `replaceRegexpOne(toString(${column}), '^::ffff:([0-9]+[.][0-9.]+)$', '\\\\1')`;
}

/** A plain address as an IPv6 parameter wants it. */
export function asIpv6(clientIp: string): string {
  return clientIp.includes(':') ? clientIp : `::ffff:${clientIp}`;
}

/** The plain, shortest text of an address (RFC 5952; mapped IPv4 as IPv4); null where the text is none. */
export function normaliseClientIp(text: string): string | null {
  if (isIP(text) === 0 || text.includes('%')) return null;
  return ipaddr.process(text).toString();
}
