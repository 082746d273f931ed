import type { PartitionLag } from '../event-log/lag.js';

/** What is known of the lag, from looks at the log. Pure. */
export interface LagFigure {
  readonly records: number;
  /** For how long the oldest waiting record has waited, as far as the looks tell; 0: none waits. */
  readonly seconds: number;
}

export interface LagFigures {
  /** @param at milliseconds on a clock that never goes back */
  look(lags: ReadonlyMap<number, PartitionLag>, at: number): void;
  /** As of the last look: while the log is away the records stay, and the seconds of what waits go on. */
  figures(at: number): ReadonlyMap<number, LagFigure>;
  /** Since the last look, or since the begin where there was none. */
  ageSeconds(at: number): number;
}

interface Look {
  readonly at: number;
  readonly end: number;
}

interface Known {
  records: number;
  /** The last look that had nothing behind what is committed now; then those after it. */
  looks: Look[];
}

/** Looks of one partition. Beyond, every second one is dropped, and the seconds move in longer steps. */
const MOST_LOOKS = 120;

/** @param begin as the looks' times */
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

/** The oldest look says since when something waits. */
function thinned(looks: Look[]): Look[] {
  return looks.length > MOST_LOOKS ? looks.filter((_look, index) => index % 2 === 0) : looks;
}
