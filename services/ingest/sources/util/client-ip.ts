import { hasOnlyZeros, isIPv4, isIPv6 } from './ip-form.js';

/** Longest text that is read: an IPv6 address with an IPv4 part and an interface's zone, in brackets, with a port. */
const LONGEST_ADDRESS = '[%25]:65535'.length + 45 + 15;

/**
 * Normalises an address. It removes port, brackets, the IPv4-mapped prefix (a dual-stack nginx writes
 * `::ffff:192.0.2.1`) and the zone of an IPv6 address (`fe80::1%eth0`), which names an interface of the server.
 * Returns '' for other text, and for the unspecified address `::`. No client has it, and in the store it marks a
 * removed address.
 */
export function normaliseIp(text: string): string {
  if (isIPv4(text)) return text;
  if (text.length > LONGEST_ADDRESS) return '';
  const colon = text.indexOf(':');
  if (colon === -1) return '';
  if (isIPv6(text)) return unmapped(text);
  if (text.includes('%', colon)) return normaliseZoned(text);
  const portless =
    text.charCodeAt(0) === 91 /* [ */ ? text.slice(1, text.indexOf(']')) : text.slice(0, colon);
  if (isIPv4(portless)) return portless;
  return isIPv6(portless) ? unmapped(portless) : '';
}

/** `address%zone`, in brackets with a port or without (RFC 4007, RFC 6874). */
function normaliseZoned(text: string): string {
  const zoned = /^(\[?)([\dA-Fa-f:.]+)%[\w.~-]+(?:%?[\w.~-]+)?(\]?)(?::\d{1,5})?$/.exec(text);
  if (zoned === null) return '';
  const [, open, address = '', close] = zoned;
  return (open === '') === (close === '') && isIPv6(address) ? unmapped(address) : '';
}

/**
 * The address of a load balancer's `address:port`. The port is always present and IPv6 has no brackets, so the last
 * group is the port even if it could be part of the address. '' if there is none, as for `unix:1` and `-`.
 */
export function ipBeforePort(text: string): string {
  const colon = text.lastIndexOf(':');
  return colon === -1 ? normaliseIp(text) : normaliseIp(withoutBrackets(text.slice(0, colon)));
}

function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
}

function unmapped(ip: string): string {
  if (hasOnlyZeros(ip, ip.length)) return '';
  if (ip.length < 9 || ip.charCodeAt(0) !== 58 /* : */) return ip;
  if (ip.slice(0, 7).toLowerCase() !== '::ffff:') return ip;
  const rest = ip.slice(7);
  return isIPv4(rest) ? rest : ip;
}
