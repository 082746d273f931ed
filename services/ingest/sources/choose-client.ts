import { isLocalIp, normaliseIp } from './client-ip.js';

/** Who asked, where a line names several addresses. The rule is the same for every source. */

/** The addresses of a list such as X-Forwarded-For, in their order, each in one spelling; what is no address is left out. */
export function readAddresses(value: string): readonly string[] {
  const addresses = value.split(',').map((part) => normaliseIp(part.trim()));
  return addresses.filter((address) => address !== '');
}

/**
 * The first address of a leading list that is not local, as the customer chose to log that list. A trailing X-Forwarded-For is
 * written for every request, whoever sent it: it counts only where the connection came from the site's own proxy,
 * that is from a local address (or a socket), so that a stranger can't pass for a crawler by naming its address.
 */
export function chooseClient(addresses: readonly string[], forwardedFor: readonly string[]): string {
  const connected = addresses.find((address) => !isLocalIp(address));
  if (connected !== undefined) return connected;
  return forwardedFor.find((address) => !isLocalIp(address)) ?? addresses[0] ?? forwardedFor[0] ?? '';
}
