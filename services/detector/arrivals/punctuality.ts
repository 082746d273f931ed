import type { Arrival } from '../../../shared/detection/arrival.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { IMPORT_SETTLED_MS, LONGEST_SETTLING_MS } from './intervals.js';
import { addMinutes, moveMinutes, newSpread, quantile, type Spread } from './spread.js';
import { learnStragglers, newStragglers, notePassed, type Stragglers } from './stragglers.js';

/**
 * How late a website's logs arrive: line by line, in batches of some minutes, or once a day. An interval
 * waits as long for its requests. Plain JSON.
 */
export interface Punctuality {
  /** End of the newest minute with requests; 0: none arrived. */
  through: number;
  /** When the first and the newest range were stored; 0: none yet. */
  since: number;
  storedAt: number;
  /** Time from the end of a batch's oldest minute until the batch was stored. */
  lateness: Spread;
  /** The newest batch, whose parts may still arrive; null: none yet. */
  batch: Batch | null;
  /**
   * Whether logs are live: some requests were made after the first ones had arrived. An archive, in any
   * number of parts, is not live, and does not show when the next logs are due.
   */
  isLive: boolean;
  readonly stragglers: Stragglers;
}

interface Batch {
  readonly firstAt: number;
  readonly newestAt: number;
  /** Lateness of its oldest minute. */
  readonly late: number;
  /** Whether some of its requests were made after the website's first logs had arrived. Others are an archive. */
  readonly isCounted: boolean;
}

interface ArrivedRange {
  readonly late: number;
  readonly storedAt: number;
  readonly isMadeSince: boolean;
}

/**
 * A daily batch arrives some hours after its day. One whose newest request is older than this is an archive,
 * and does not show how late live logs arrive.
 */
const OLDEST_BATCH_MS = 12 * HOUR_MS;
/** The oldest requests in a part of a daily batch may have this age. */
const LATEST_DELIVERY_MS = DAY_MS + OLDEST_BATCH_MS;
/** Ranges that are less late are not parts of a batch: logs are live. */
const LEAST_OF_BATCH_MS = 2 * MINUTE_MS;
/**
 * The parts of a batch may arrive in any order. Requests that are older than the newest ones by more than
 * this are an import, and do not show how late live logs arrive.
 */
const BEHIND_MS = HOUR_MS;
/** Intervals wait for as long as nine of ten batches need. */
const LATE_SHARE = 0.9;

export function newPunctuality(): Punctuality {
  return {
    ...{ through: 0, since: 0, storedAt: 0, lateness: newSpread(), batch: null, isLive: false },
    stragglers: newStragglers(),
  };
}

/** Mutates. */
export function learnPunctuality(punctuality: Punctuality, arrival: Arrival): void {
  const { storedAt, oldestMinute, newestMinute } = arrival;
  const newestEnd = newestMinute + MINUTE_MS;
  if (punctuality.since === 0) punctuality.since = storedAt;
  punctuality.storedAt = Math.max(punctuality.storedAt, storedAt);
  const late = storedAt - (oldestMinute + MINUTE_MS);
  if (late < LATEST_DELIVERY_MS) {
    const isMadeSince = newestMinute > punctuality.since;
    if (isMadeSince && storedAt - newestEnd < OLDEST_BATCH_MS) punctuality.isLive = true;
    if (newestEnd >= punctuality.through - BEHIND_MS)
      learnLateness(punctuality, { late: Math.max(0, late), storedAt, isMadeSince });
  }
  learnStragglers(punctuality.stragglers, arrival, punctuality.since);
  // Logs from a fast clock would make missing logs seem delivered.
  if (newestMinute > storedAt) return;
  punctuality.through = Math.max(punctuality.through, newestEnd);
  notePassed(punctuality.stragglers, newestEnd, storedAt);
}

/** The parts of a batch count once, with the oldest request of all parts. Mutates. */
function learnLateness(punctuality: Punctuality, range: ArrivedRange): void {
  const { lateness } = punctuality;
  const { storedAt, isMadeSince } = range;
  if (range.late < LEAST_OF_BATCH_MS) {
    if (isMadeSince) addMinutes(lateness, range.late / MINUTE_MS);
    return;
  }
  const begun = batchOf(punctuality, storedAt);
  const late = Math.max(begun?.late ?? 0, range.late);
  const isCounted = begun?.isCounted === true;
  if (isCounted) moveMinutes(lateness, begun.late / MINUTE_MS, late / MINUTE_MS);
  else if (isMadeSince) addMinutes(lateness, late / MINUTE_MS);
  punctuality.batch = {
    firstAt: begun?.firstAt ?? storedAt,
    newestAt: Math.max(begun?.newestAt ?? 0, storedAt),
    late,
    isCounted: isCounted || isMadeSince,
  };
}

function batchOf({ batch }: Punctuality, storedAt: number): Batch | null {
  if (batch === null || storedAt - batch.newestAt > IMPORT_SETTLED_MS) return null;
  return storedAt - batch.firstAt > LONGEST_SETTLING_MS ? null : batch;
}

/** The usual time from the end of an interval until its logs are complete, milliseconds. */
export function patienceOf({ lateness }: Punctuality): number {
  return quantile(lateness, LATE_SHARE) * MINUTE_MS;
}
