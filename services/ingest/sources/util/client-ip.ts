import { hasOnlyZeros, isIPv4, isIPv6 } from './ip-form.js';

/** An IPv6 address with its IPv4 part written out and the zone of an interface, in brackets, and a port: no longer text is looked at. */
const LONGEST_ADDRESS = '[%25]:65535'.length + 45 + 15;

/**
 * The address in one spelling: without port, brackets and the IPv4-mapped prefix (a dual-stack nginx writes
 * `::ffff:192.0.2.1`) or the zone of an IPv6 address (`fe80::1%eth0`), which names an interface of the server. '' where the text is no address, and for the
 * unspecified one, `::`: nobody has it, and it stands for an address that was forgotten in the store.
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
 * The address of `address:port` as load balancers write it: always with its port, and IPv6 without brackets, so that its
 * last group is the port though it could be one of the address. '' where there is none, as for `unix:1` and `-`.
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
