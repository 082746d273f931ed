import type { Arrival } from '../../../shared/detection/arrival.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { addMinutes, newSpread, quantile, type Spread } from '../spread.js';

/**
 * How late a website's logs come: line by line, in batches of some minutes, or once a day. It says for how long an interval may still be
 * filled. Plain JSON.
 */
export interface Delivery {
  /** End of the newest minute with requests; 0: none came. */
  through: number;
  /** When the first and the newest range were stored; 0: none was. */
  since: number;
  storedAt: number;
  /** From the end of a range's oldest minute until it was stored. */
  lateness: Spread;
  /**
   * Whether logs come as they are made: some were made after the first ones had come. An archive's were not, in however many parts it comes;
   * it says nothing of when the next are due.
   */
  isLive: boolean;
}

/** What is older is somebody's archive, and says nothing of how logs come. */
const LATEST_DELIVERY_MS = 26 * HOUR_MS;
/** A batch brings a day's logs some hours after its end; one whose newest request is older is an archive, too. */
const OLDEST_BATCH_MS = 12 * HOUR_MS;
/**
 * The parts of a batch may come in any order. Requests further behind the newest ones fill in the past: an import, that says
 * nothing of how late logs come. Where servers deliver by themselves, the latest of them waits for nobody: intervals close behind the first.
 */
const BEHIND_MS = HOUR_MS;
/** Nine of ten ranges are as late as this or earlier. */
const LATE_SHARE = 0.9;

export function newDelivery(): Delivery {
  return { through: 0, since: 0, storedAt: 0, lateness: newSpread(), isLive: false };
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
  // A clock that is fast must not make believe that logs were delivered that are still to come.
  if (newestMinute <= storedAt) delivery.through = Math.max(delivery.through, newestEnd);
}

/** How long after its end an interval is usually filled, milliseconds. */
export function patienceOf({ lateness }: Delivery): number {
  return quantile(lateness, LATE_SHARE) * MINUTE_MS;
}
