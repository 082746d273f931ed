import type { Arrival } from '../../../shared/detection/arrival.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { addMinutes, newSpread, quantile, type Spread } from '../spread.js';
import { learnStragglers, newStragglers, notePassed, type Stragglers } from './stragglers.js';

/**
 * How late a website's logs arrive: line by line, in batches of some minutes, or once a day. An interval waits as long for its requests.
 * Plain JSON.
 */
export interface Delivery {
  /** End of the newest minute with requests; 0: none arrived. */
  through: number;
  /** When the first and the newest range were stored; 0: no range was. */
  since: number;
  storedAt: number;
  /** From the end of a range's oldest minute until it was stored. */
  lateness: Spread;
  /**
   * Whether logs are live: some requests were made after the first ones had arrived. Those of an archive were not, in however many parts it is
   * sent. An archive does not show when the next logs are due.
   */
  isLive: boolean;
  readonly stragglers: Stragglers;
}

/** Older requests are an archive, and do not show how late live logs arrive. */
const LATEST_DELIVERY_MS = 26 * HOUR_MS;
/** A daily batch arrives some hours after its day. One whose newest request is older than this is an archive, too. */
const OLDEST_BATCH_MS = 12 * HOUR_MS;
/**
 * The parts of a batch may arrive in any order. Requests that are older than the newest ones by more than this are an import, and do not show how late
 * live logs arrive.
 */
const BEHIND_MS = HOUR_MS;
/** Intervals wait for as long as nine of ten ranges need. */
const LATE_SHARE = 0.9;

export function newDelivery(): Delivery {
  return {
    ...{ through: 0, since: 0, storedAt: 0, lateness: newSpread(), isLive: false },
    stragglers: newStragglers(),
  };
}

/** Mutates. */
export function learnDelivery(delivery: Delivery, arrival: Arrival): void {
  const { storedAt, oldestMinute, newestMinute } = arrival;
  const newestEnd = newestMinute + MINUTE_MS;
  if (delivery.since === 0) delivery.since = storedAt;
  delivery.storedAt = Math.max(delivery.storedAt, storedAt);
  const late = storedAt - (oldestMinute + MINUTE_MS);
  const isRecent = storedAt - newestEnd < OLDEST_BATCH_MS;
  if (newestMinute > delivery.since && isRecent) {
    delivery.isLive = true;
    if (late < LATEST_DELIVERY_MS && newestEnd >= delivery.through - BEHIND_MS)
      addMinutes(delivery.lateness, Math.max(0, late) / MINUTE_MS);
  }
  learnStragglers(delivery.stragglers, arrival, delivery.since);
  // With a fast clock, logs that are still to arrive would seem delivered.
  if (newestMinute > storedAt) return;
  delivery.through = Math.max(delivery.through, newestEnd);
  notePassed(delivery.stragglers, newestEnd, storedAt);
}

/** How long after its end an interval is usually filled, milliseconds. */
export function patienceOf({ lateness }: Delivery): number {
  return quantile(lateness, LATE_SHARE) * MINUTE_MS;
}
