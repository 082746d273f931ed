/**
 * Which timestamps an upload may bring. A row lives in the partition of its month and is inserted with whatever its range
 * holds: a sender that may choose any date would spread one upload over more partitions than an insert can have.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks of servers differ, and zones are set wrong; a day ahead is still plausible. */
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
