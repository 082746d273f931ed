import { HOURS_OF_WEEK, NOTHING, RING_HOURS } from './hours.js';
import { NOISE_PRIOR_INTERVALS, UNKNOWN_RELATIVE_SPREAD } from './thresholds.js';

/** `count`: a number of events; `mean`: an average over requests. */
export type BaselineKind = 'count' | 'mean';

/** The memory of one metric of one website. Plain JSON, at most 12 KB for counts and 18 KB for means. */
export interface Baseline {
  readonly kind: BaselineKind;
  /** The current hour, since the epoch; -1 before the first interval. */
  hour: number;
  gathered: GatheredInterval[];
  /**
   * Each hour of the last weeks, by `placeOf`: the value per hour (counts), or the average. For signs see
   * `hours.ts`.
   */
  readonly values: number[];
  /** The requests of each average, by `placeOf`; empty for counts. */
  readonly weights: number[];
  /**
   * On how many consecutive days the hour of the day was excluded from learning, and in how many weeks the
   * hour of the week.
   */
  readonly heldOutDays: number[];
  readonly heldOutWeeks: number[];
  /** Sum and number of squared differences between neighbouring intervals, over those expected by chance. */
  readonly noise: { sum: number; count: number };
  /** Squared forecast errors of the hours over their variance. */
  surprise: number;
  /** Hours of `values` with a learned value. */
  known: number;
  readonly profile: Profile;
}

/** [value, samples, 1 if it was judged anomalous] */
export type GatheredInterval = [value: number, samples: number, isAnomalous: 0 | 1];

/**
 * Derived from `values`, by hour of the week: an hour's value, and its relative spread in addition to the
 * noise of counting.
 */
export interface Profile {
  season: number[];
  spread: number[];
  /** The level of the last days over the season. */
  level: number;
  /** The hits of an average hour: its count, or the requests of a mean. */
  hits: number;
  /** When season and spread were fitted, days since the epoch; -1: never. */
  day: number;
}

export function emptyState(kind: BaselineKind): Baseline {
  return {
    kind,
    hour: -1,
    gathered: [],
    values: new Array<number>(RING_HOURS).fill(NOTHING),
    weights: kind === 'count' ? [] : new Array<number>(RING_HOURS).fill(0),
    heldOutDays: new Array<number>(24).fill(0),
    heldOutWeeks: new Array<number>(HOURS_OF_WEEK).fill(0),
    noise: { sum: 0, count: 0 },
    surprise: 1,
    known: 0,
    profile: {
      season: new Array<number>(HOURS_OF_WEEK).fill(0),
      spread: new Array<number>(HOURS_OF_WEEK).fill(UNKNOWN_RELATIVE_SPREAD),
      level: 1,
      hits: 0,
      day: -1,
    },
  };
}

/** Variance of the intervals over that of chance; for counts at least Poisson's. */
export function noiseOf({ kind, noise }: Baseline): number {
  const estimate = (noise.sum + NOISE_PRIOR_INTERVALS) / (noise.count + NOISE_PRIOR_INTERVALS);
  return kind === 'mean' ? estimate : Math.max(1, estimate);
}
