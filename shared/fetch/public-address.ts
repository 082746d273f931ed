import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291 §2.4). The rest of IPv6 is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * IPv4 addresses embedded in IPv6 for NAT64 (RFC 6052). The local form, 64:ff9b:1::/48 (RFC 8215), leads into the
 * operator's own network.
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Looks public, but is the metadata service of every Azure machine. */
const AZURE_METADATA = '168.63.129.16';

/**
 * Whether an address belongs to the public internet, so that customers may have it fetched. An IPv4 address inside an
 * IPv6 address (mapped, NAT64) is checked as IPv4. 6to4 and Teredo are refused completely: they lead through relays to
 * the embedded address.
 * @param text an address without brackets; any other text is not public
 */
export function isPublicAddress(text: string): boolean {
  const address = plainAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4'
    ? address.toString() !== AZURE_METADATA
    : (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** 127.0.0.0/8 or ::1, in any form. */
export function isLoopbackAddress(text: string): boolean {
  return plainAddress(text)?.range() === 'loopback';
}

function plainAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone (fe80::1%eth0) chooses one of this machine's networks.
  if (isIP(text) === 0 || text.includes('%')) return null;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4' || !(address as ipaddr.IPv6).match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
