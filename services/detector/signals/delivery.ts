import type { Signal } from '../../../shared/detection/signal.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { addMinutes, newSpread, quantile, type Spread } from './spread.js';

/**
 * How a website's logs come: line by line, in batches of some minutes, or once a day. It says for how long an interval may still be
 * filled, and whether one without requests is known to have had none. Plain JSON.
 */
export interface Delivery {
  /** End of the newest minute with requests; 0: none came. */
  through: number;
  /** When the newest signal was stored. */
  storedAt: number;
  /** From the end of a signal's oldest minute until it was stored. */
  lateness: Spread;
  /** From a minute with requests to the next one with requests. */
  steps: Spread;
}

/** What is older is somebody's archive, and says nothing of how logs come. */
const LATEST_DELIVERY_MS = 26 * HOUR_MS;
/** A batch brings a day's logs some hours after its end; one whose newest request is older is an archive, too. */
const OLDEST_BATCH_MS = 12 * HOUR_MS;
/**
 * The parts of a batch may come in any order. What lies further behind what was delivered already fills in the past: an import, that says
 * nothing of how late logs come. Where servers deliver by themselves, the latest of them waits for nobody: intervals close behind the first.
 */
const BEHIND_MS = HOUR_MS;
/** Nine of ten signals are as late as this or earlier. */
const LATE_SHARE = 0.9;
/** Of twenty steps between minutes with requests nineteen are no longer: a website of one visit an hour is not silent after ten minutes. */
const QUIET_SHARE = 0.95;

export function newDelivery(): Delivery {
  return { through: 0, storedAt: 0, lateness: newSpread(), steps: newSpread() };
}

export function learnDelivery(delivery: Delivery, { storedAt, minutes }: Signal): void {
  delivery.storedAt = Math.max(delivery.storedAt, storedAt);
  const starts = minutes.map(({ minute }) => minute).sort((a, b) => a - b);
  const [oldest] = starts;
  if (oldest === undefined) return;
  const late = storedAt - (oldest + MINUTE_MS);
  const newestEnd = starts.at(-1)! + MINUTE_MS;
  const isArchive = late >= LATEST_DELIVERY_MS || storedAt - newestEnd >= OLDEST_BATCH_MS;
  if (!isArchive && newestEnd >= delivery.through - BEHIND_MS)
    addMinutes(delivery.lateness, Math.max(0, late) / MINUTE_MS);
  for (const start of starts) {
    const end = start + MINUTE_MS;
    // A clock that is fast must not make believe that logs were delivered that are still to come.
    if (end <= delivery.through || start > storedAt) continue;
    const step = end - delivery.through;
    if (step <= DAY_MS) addMinutes(delivery.steps, step / MINUTE_MS);
    delivery.through = end;
  }
}

/** How long after its end an interval is usually filled, milliseconds. */
export function patienceOf({ lateness }: Delivery): number {
  return quantile(lateness, LATE_SHARE) * MINUTE_MS;
}

/** Whether logs of the time before `end` have come, as far as there were requests. */
export function isDeliveredThrough({ through, steps }: Delivery, end: number): boolean {
  if (through === 0) return false;
  const quiet = (Math.max(1, quantile(steps, QUIET_SHARE)) - 1) * MINUTE_MS;
  return through + quiet >= end;
}
