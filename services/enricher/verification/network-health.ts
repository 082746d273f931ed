import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../shared/durations.js';
import { parseAddress } from '../../../shared/requests/address.js';

/** Pauses networks whose reverse zone fails: each query there occupies a slot until its timeout. */

/** Consecutive failures after which a network is failing. */
const FAILURES = 3;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = HOUR_MS;
const NETWORKS_REMEMBERED = 10_000;

export interface NetworkHealth {
  isFailing(network: string): boolean;
  failed(network: string): void;
  /** Call it for any answer, including "no such name". */
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
      // Only the first of several concurrent failures extends the pause.
      if (isFailing(network)) return;
      const failures = (networks.get(network)?.failures ?? 0) + 1;
      const pauseMs =
        failures < FAILURES ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES), LONGEST_PAUSE_MS);
      networks.set(network, { failures, pausedUntil: now() + pauseMs });
    },
    answered: (network) => void networks.delete(network),
  };
}

/**
 * The /24 of an IPv4 address or the /48 of an IPv6 address: reverse zones are seldom smaller. '' if it is no
 * address.
 */
export function networkOf(clientIp: string): string {
  const address = parseAddress(clientIp);
  if (address === null) return '';
  return typeof address === 'number'
    ? `4 ${Math.floor(address / 256)}`
    : `6 ${address[0]} ${Math.floor(address[1]! / 65_536)}`;
}
