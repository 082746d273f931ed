import type { PartitionLag } from '../event-log/lag.js';

/** Computes consumer lag from observations of the log. Pure. */
export interface LagFigure {
  readonly records: number;
  /** Waiting time of the oldest record, estimated from the observations; 0: none waits. */
  readonly seconds: number;
}

export interface LagFigures {
  /** @param at milliseconds on a monotonic clock */
  look(lags: ReadonlyMap<number, PartitionLag>, at: number): void;
  /**
   * As of the last observation. While the log is unavailable, the record counts stay and the seconds of waiting records
   * grow.
   */
  figures(at: number): ReadonlyMap<number, LagFigure>;
  /** Seconds since the last observation, or since the start if there was none. */
  ageSeconds(at: number): number;
}

interface Look {
  readonly at: number;
  readonly end: number;
}

interface Known {
  records: number;
  /** The last observation with nothing beyond the committed position, and those after it. */
  looks: Look[];
}

/** Observations of one partition. Beyond this, every second one is dropped and the seconds change in larger steps. */
const MOST_LOOKS = 120;

/** @param begin on the same clock as the observations */
export function createLagFigures(begin: number): LagFigures {
  const known = new Map<number, Known>();
  let lookedAt = begin;

  function secondsOf({ records, looks }: Known, at: number): number {
    return records === 0 ? 0 : Math.max(0, at - looks[0]!.at) / 1000;
  }

  return {
    look(lags, at) {
      for (const partition of known.keys()) if (!lags.has(partition)) known.delete(partition);
      for (const [partition, { records, from, end }] of lags) {
        const looks = [...(known.get(partition)?.looks ?? []), { at, end }];
        const done = looks.findLastIndex((look) => look.end <= from);
        known.set(partition, { records, looks: thinned(looks.slice(Math.max(0, done))) });
      }
      lookedAt = at;
    },
    figures: (at) =>
      new Map(
        [...known].map(([partition, one]) => [
          partition,
          { records: one.records, seconds: secondsOf(one, at) },
        ]),
      ),
    ageSeconds: (at) => Math.max(0, at - lookedAt) / 1000,
  };
}

/** Keeps the oldest observation, which determines the waiting time. */
function thinned(looks: Look[]): Look[] {
  return looks.length > MOST_LOOKS ? looks.filter((_look, index) => index % 2 === 0) : looks;
}
