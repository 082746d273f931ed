import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { normaliseIp } from '../sources/util/client-ip.js';

/**
 * The sender's address for log lines: the peer of the connection, or the address that the outermost of our own
 * proxies saw. Only the part of the header that our own proxies wrote counts; '' if they wrote none.
 */
export function remoteAddress(request: IncomingMessage, proxyHops: number): string {
  if (proxyHops === 0) return normaliseIp(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  const addresses = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  return normaliseIp(addresses.at(-proxyHops)?.trim() ?? '');
}

/** Identifies one sender: an owner of one IPv6 address has a network of them (/64). */
export function senderOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2) as [string, string?];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const behind = tail === '' ? [] : tail.split(':');
    while (groups.length + behind.length < 8) groups.push('0');
    groups.push(...behind);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
