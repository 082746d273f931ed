import { hasOnlyZeros, isIPv4, isIPv6 } from './ip-form.js';

/** An IPv6 address with its IPv4 part written out, in brackets, and a port: no longer text is looked at. */
const LONGEST_ADDRESS = '[]:65535'.length + 45;

/**
 * The address in one spelling: without port, brackets and the IPv4-mapped prefix (a dual-stack nginx writes
 * `::ffff:192.0.2.1`). '' where the text is no address, also for one with a zone, which no stranger can have, and for the unspecified one, `::`: nobody
 * has it, and it stands for an address that was forgotten in the store.
 */
export function normaliseIp(text: string): string {
  if (isIPv4(text)) return text;
  if (text.length > LONGEST_ADDRESS) return '';
  const colon = text.indexOf(':');
  if (colon === -1) return '';
  if (isIPv6(text)) return unmapped(text);
  const portless =
    text.charCodeAt(0) === 91 /* [ */ ? text.slice(1, text.indexOf(']')) : text.slice(0, colon);
  if (isIPv4(portless)) return portless;
  return isIPv6(portless) ? unmapped(portless) : '';
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
