import { HOURS_OF_WEEK, NOTHING, RING_HOURS } from './hours.js';
import { NOISE_PRIOR_INTERVALS, UNKNOWN_RELATIVE_SPREAD } from './thresholds.js';

/** `count`: things that happened; `mean`: an average over requests. */
export type BaselineKind = 'count' | 'mean';

/** What is remembered of one metric of one website. Plain JSON, 12 KB at most (18 KB of means). */
export interface Baseline {
  readonly kind: BaselineKind;
  /** The hour that is being gathered, hours since the epoch; -1 before the first interval. */
  hour: number;
  gathered: GatheredInterval[];
  /** Of each hour of the last weeks, by `placeOf`: the value per hour (counts), or the average; see `hours.ts` for signs. */
  readonly values: number[];
  /** Likewise the requests behind it; empty of counts. */
  readonly weights: number[];
  /** On how many days running the hour of the day was held out of learning; on how many weeks the hour of the week. */
  readonly heldOutDays: number[];
  readonly heldOutWeeks: number[];
  /** Sum and number of squared differences between neighbouring intervals, over what chance alone would make them. */
  readonly noise: { sum: number; count: number };
  /** Squared error of the hours' forecasts over their variance. */
  surprise: number;
  /** Hours of `values` that hold something learned. */
  known: number;
  readonly profile: Profile;
}

/** [value, samples, 1 where it was judged anomalous] */
export type GatheredInterval = [value: number, samples: number, isAnomalous: 0 | 1];

/** What is worked out of `values`. By hour of the week: what an hour brings, and its relative spread beyond the noise of counting. */
export interface Profile {
  season: number[];
  spread: number[];
  /** The last days over what the season says. */
  level: number;
  /** The hits (requests, of means) of an average hour. */
  hits: number;
  /** When season and spread were worked out, days since the epoch; -1: never. */
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

/** Variance of the intervals over chance's, at least Poisson's where counts are concerned. */
export function noiseOf({ kind, noise }: Baseline): number {
  const estimate = (noise.sum + NOISE_PRIOR_INTERVALS) / (noise.count + NOISE_PRIOR_INTERVALS);
  return kind === 'mean' ? estimate : Math.max(1, estimate);
}
