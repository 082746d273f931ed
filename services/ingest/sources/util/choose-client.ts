import { normaliseIp } from './client-ip.js';
import { isLocalIp } from './ip-form.js';

/** Chooses the client if a line has several addresses. The rule is the same for every source. */

const none: readonly string[] = [];

/** The normalised addresses of a list such as X-Forwarded-For, in order; other texts are left out. */
export function readAddresses(value: string): readonly string[] {
  if (value === '') return none;
  if (!value.includes(',')) {
    const address = normaliseIp(value.trim());
    return address === '' ? none : [address];
  }
  const addresses = value.split(',').map((part) => normaliseIp(part.trim()));
  return addresses.filter((address) => address !== '');
}

/** The connection's address as logged; {@link connectionOf} for a list. */
export function readConnection(value: string): readonly string[] {
  return connectionOf(readAddresses(value));
}

/**
 * A list instead of the connection's address is X-Forwarded-For, with or without the address of the site's own proxy
 * at the end. The site's proxies add addresses at its end; the addresses before are the client's own text.
 */
export function connectionOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses;
  return [addresses.findLast(isPublic) ?? addresses[0]!];
}

const isPublic = (address: string) => !isLocalIp(address);

/**
 * The client of a connection that may come through the site's own proxies. Any sender can send X-Forwarded-For, and
 * each proxy adds the address that it saw at its end. So the list counts only if the connection came from a local
 * address (or a socket). Its last address that is not local is the client. The addresses before are the client's own
 * text, with which it could claim to be a crawler.
 * @param connected logged addresses of the connection, the most specific one first
 * @param forwardedFor addresses of X-Forwarded-For, in its order
 * @returns '' if there is none
 */
export function chooseClient(connected: readonly string[], forwardedFor: readonly string[]): string {
  // Most requests have one address, and the check for local addresses is expensive.
  if (forwardedFor.length === 0 && connected.length === 1) return connected[0]!;
  return connected.find(isPublic) ?? forwardedFor.findLast(isPublic) ?? connected[0] ?? forwardedFor[0] ?? '';
}
