import { changesOfHours, type DataChange } from '../../../../shared/changes/data-change.js';
import { type Arrival, OLDEST_ARRIVAL_MS } from '../../../../shared/detection/arrival.js';
import { INTERVAL_MS } from '../../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';

/** The arrival of a website, before its range is stored. */
export type GatheredArrival = Omit<Arrival, 'storedAt'>;

/** The stored rows of a block, and their website. */
export interface ArrivedRows {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Whether the block has claims whose addresses are still being looked up. */
  readonly hasPendingClaims: boolean;
  /** Time of each row of the block, milliseconds since the epoch. */
  readonly timestamp: Float64Array;
  /** The stored rows of the block, by index. */
  readonly rows: Uint32Array;
}

export interface ArrivalGatherer {
  add(arrived: ArrivedRows): void;
  /** One for each website with rows within the bounds. */
  arrivals(): GatheredArrival[];
  /** The hours of all rows, also beyond the bounds. */
  changes(): DataChange[];
}

/** Ingest never dates a request after its receipt, but clocks of machines differ. */
const NEWEST_MS = HOUR_MS;

/** @param now milliseconds since the epoch */
export function createArrivalGatherer(now: number): ArrivalGatherer {
  // The oldest interval is completely within the bound.
  const oldest = Math.ceil((now - OLDEST_ARRIVAL_MS) / INTERVAL_MS) * INTERVAL_MS;
  const newest = now + NEWEST_MS;
  const websites = new Map<string, Gathered>();
  return {
    add({ websiteId, receivedAt, hasPendingClaims, timestamp, rows }) {
      const found = websites.get(websiteId) ?? newGathered();
      if (rows.length === 0) return;
      websites.set(websiteId, found);
      let last = Number.NaN;
      for (let at = 0; at < rows.length; at += 1) {
        const time = timestamp[rows[at]!]!;
        if (!(time >= oldest && time <= newest)) {
          found.hoursBeyond.add(Math.floor(time / HOUR_MS));
          continue;
        }
        if (time < found.oldest) found.oldest = time;
        if (time > found.newest) found.newest = time;
        const interval = Math.floor(time / INTERVAL_MS);
        if (interval !== last) found.intervals.add(interval);
        last = interval;
      }
      if (found.intervals.size === 0) return;
      found.hasPendingClaims ||= hasPendingClaims;
      found.receivedAt = Math.min(found.receivedAt, receivedAt);
    },
    arrivals: () =>
      Array.from(websites)
        .filter(([, { intervals }]) => intervals.size > 0)
        .map(([websiteId, gathered]) => toArrival(websiteId, gathered)),
    changes: () =>
      Array.from(websites).flatMap(([websiteId, gathered]) => changesOfHours(websiteId, hoursOf(gathered))),
  };
}

/** Times in milliseconds since the epoch; intervals and hours by their numbers since the epoch. */
interface Gathered {
  receivedAt: number;
  hasPendingClaims: boolean;
  oldest: number;
  newest: number;
  readonly intervals: Set<number>;
  /** Hours of rows beyond the bounds. */
  readonly hoursBeyond: Set<number>;
}

function newGathered(): Gathered {
  return {
    receivedAt: Number.POSITIVE_INFINITY,
    hasPendingClaims: false,
    oldest: Number.POSITIVE_INFINITY,
    newest: Number.NEGATIVE_INFINITY,
    intervals: new Set(),
    hoursBeyond: new Set(),
  };
}

function toArrival(websiteId: string, gathered: Gathered): GatheredArrival {
  const { receivedAt, hasPendingClaims, oldest, newest, intervals } = gathered;
  return {
    websiteId,
    receivedAt,
    hasPendingClaims,
    oldestMinute: minuteOf(oldest),
    newestMinute: minuteOf(newest),
    intervals: Array.from(intervals, (number) => number * INTERVAL_MS).sort((one, other) => one - other),
  };
}

function hoursOf({ intervals, hoursBeyond }: Gathered): Set<number> {
  const within = Array.from(intervals, (interval) => Math.floor((interval * INTERVAL_MS) / HOUR_MS));
  return new Set([...within, ...hoursBeyond]);
}

const minuteOf = (time: number) => Math.floor(time / MINUTE_MS) * MINUTE_MS;
