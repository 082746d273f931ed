import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv6 address with its IPv4 part written out, in brackets, and a port: no longer text is looked at. */
const LONGEST_ADDRESS = '[]:65535'.length + 45;

/**
 * The address in one spelling: without port, brackets and the IPv4-mapped prefix (a dual-stack nginx writes
 * `::ffff:192.0.2.1`). '' where the text is no address, also for one with a zone, which no stranger can have.
 */
export function normaliseIp(text: string): string {
  if (isIPv4(text)) return text;
  if (text.length > LONGEST_ADDRESS) return '';
  const colon = text.indexOf(':');
  if (colon === -1) return '';
  if (isIPv6(text)) return text.includes('%') ? '' : unmapped(text);
  const portless =
    text.charCodeAt(0) === 91 /* [ */ ? text.slice(1, text.indexOf(']')) : text.slice(0, colon);
  if (isIPv4(portless)) return portless;
  return isIPv6(portless) && !portless.includes('%') ? unmapped(portless) : '';
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

const localRanges = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'unspecified',
]);

/** Whether a normalised address is of a network of the site's own: behind it stands a proxy, not a visitor. */
export function isLocalIp(ip: string): boolean {
  return localRanges.has(ipaddr.parse(ip).range());
}

function unmapped(ip: string): string {
  if (ip.length < 9 || ip.slice(0, 7).toLowerCase() !== '::ffff:') return ip;
  const rest = ip.slice(7);
  return isIPv4(rest) ? rest : ip;
}

/** Four decimal octets. By hand: `net.isIPv4` runs a regular expression, four times slower on the hottest check. */
function isIPv4(text: string): boolean {
  const length = text.length;
  if (length < 7 || length > 15) return false;
  let dots = 0;
  let value = 0;
  let digits = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (digits === 0 || ++dots > 3) return false;
      value = 0;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      // A leading zero reads as octal in some engines: such an address means two things.
      if (digits > 0 && value === 0) return false;
      value = value * 10 + code - 48;
      if (++digits > 3 || value > 255) return false;
    } else return false;
  }
  return dots === 3 && digits > 0;
}
