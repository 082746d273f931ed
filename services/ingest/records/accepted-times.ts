import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/**
 * Limits the timestamps of an upload. A row is in the partition of its month, and one insert has the rows of a whole
 * range. With unlimited dates, a sender could create parts in very many months. These would push the tokens of other
 * inserts out of the deduplication window (services/enricher/sink/EXACTLY-ONCE.md, "The bound").
 *
 * No request is later than its receipt. A timestamp up to 24 hours ahead becomes the time of receipt when its block
 * is written (blocks/open-block.ts). A later one is rejected.
 */

/** Clocks of servers differ, and a wrong time zone adds up to 14 hours. A later time is not the time of a request. */
const MOST_AHEAD_MS = DAY_MS;

/** Milliseconds since the epoch, both included. */
export interface AcceptedTimes {
  readonly earliest: number;
  readonly latest: number;
  readonly tooEarly: string;
  readonly tooLate: string;
}

/**
 * From the plan's retention to a day ahead. Both count from the start of the clock hour, so that a repeat of an
 * upload within the hour has the same limits.
 * @param now milliseconds since the epoch
 */
export function acceptedTimes(now: number, retentionDays: number): AcceptedTimes {
  const hour = now - (now % HOUR_MS);
  const earliest = hour - retentionDays * DAY_MS;
  const latest = hour + MOST_AHEAD_MS;
  return {
    earliest,
    latest,
    tooEarly: `timestamp: before ${iso(earliest)}; the plan keeps ${retentionDays} days`,
    tooLate: `timestamp: after ${iso(latest)}, 24 hours ahead`,
  };
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
