import { normaliseIp } from './client-ip.js';
import { isLocalIp } from './ip-form.js';

/** Who asked, where a line names several addresses. The rule is the same for every source. */

const none: readonly string[] = [];

/** The addresses of a list such as X-Forwarded-For, in their order, each in one spelling; what is no address is left out. */
export function readAddresses(value: string): readonly string[] {
  if (value === '') return none;
  if (!value.includes(',')) {
    const address = normaliseIp(value.trim());
    return address === '' ? none : [address];
  }
  const addresses = value.split(',').map((part) => normaliseIp(part.trim()));
  return addresses.filter((address) => address !== '');
}

/** The connection's address, as a site logs it; {@link connectionOf} of a list. */
export function readConnection(value: string): readonly string[] {
  return connectionOf(readAddresses(value));
}

/**
 * A list that a site logs in the place of the connection's address is X-Forwarded-For, with the address of its own proxy behind it or not:
 * what its proxies have added stands at its end, and what stands before is the client's own words.
 */
export function connectionOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses;
  return [addresses.findLast(isPublic) ?? addresses[0]!];
}

const isPublic = (address: string) => !isLocalIp(address);

/**
 * The client of a connection that may have come through the site's own proxies. X-Forwarded-For is written for every request,
 * whoever sent it, and each proxy adds the address that it saw at its end: so the list counts only where the connection
 * came from a local address (or a socket), and then its last address that is not local is the client. The addresses before
 * that one are the client's own words, by which a stranger could pass for a crawler.
 * @param connected addresses that the connection had, as the site chose to log them, the most telling one first
 * @param forwardedFor addresses of X-Forwarded-For, in its order
 * @returns '' where there is none at all
 */
export function chooseClient(connected: readonly string[], forwardedFor: readonly string[]): string {
  // By far the most requests have nothing to choose from, and where an address belongs is dear to ask.
  if (forwardedFor.length === 0 && connected.length === 1) return connected[0]!;
  return connected.find(isPublic) ?? forwardedFor.findLast(isPublic) ?? connected[0] ?? forwardedFor[0] ?? '';
}
