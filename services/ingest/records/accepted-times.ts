import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/**
 * Which timestamps an upload may bring. A row lives in the partition of its month and is inserted with whatever its range
 * holds. A sender that may choose any date would make parts in so many months that they push the tokens of other inserts out of the
 * deduplication window (services/enricher/sink/EXACTLY-ONCE.md, "The bound").
 *
 * No request is later than its receipt: what is at most 24 hours ahead of the receiving clock gets the time of its receipt
 * where its block is written (blocks/open-block.ts), what is further ahead is rejected.
 */

/** Clocks of servers differ, and a zone that is set wrong makes up to 14 hours; further ahead it is no time of a request. */
const MOST_AHEAD_MS = DAY_MS;

/** Milliseconds since the epoch, both included. */
export interface AcceptedTimes {
  readonly earliest: number;
  readonly latest: number;
  readonly tooEarly: string;
  readonly tooLate: string;
}

/**
 * From as long ago as the website's plan keeps logs, to a day ahead. Both count from the clock hour's start, so that an
 * upload that is repeated within the hour is judged alike.
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
