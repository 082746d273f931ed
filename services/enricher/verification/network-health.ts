import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../shared/durations.js';
import { parseAddress } from '../../../shared/requests/address.js';

/** Networks whose reverse zone fails are left alone for a while: each question there holds a place until it times out. */

/** Failures in a row that make a network a failing one. */
const FAILURES = 3;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = HOUR_MS;
const NETWORKS_REMEMBERED = 10_000;

export interface NetworkHealth {
  isFailing(network: string): boolean;
  failed(network: string): void;
  /** It answered, be it that there is no such name. */
  answered(network: string): void;
}

/** @param now milliseconds since the epoch. */
export function createNetworkHealth(now: () => number): NetworkHealth {
  const networks = new LRUCache<string, { readonly failures: number; readonly pausedUntil: number }>({
    max: NETWORKS_REMEMBERED,
  });
  const isFailing = (network: string) => (networks.get(network)?.pausedUntil ?? 0) > now();
  return {
    isFailing,
    failed(network) {
      // Of several that were under way together only the first lengthens the pause.
      if (isFailing(network)) return;
      const failures = (networks.get(network)?.failures ?? 0) + 1;
      const pauseMs =
        failures < FAILURES ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES), LONGEST_PAUSE_MS);
      networks.set(network, { failures, pausedUntil: now() + pauseMs });
    },
    answered: (network) => void networks.delete(network),
  };
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one: reverse zones are seldom delegated more finely. '' for no address. */
export function networkOf(clientIp: string): string {
  const address = parseAddress(clientIp);
  if (address === null) return '';
  return typeof address === 'number'
    ? `4 ${Math.floor(address / 256)}`
    : `6 ${address[0]} ${Math.floor(address[1]! / 65_536)}`;
}
