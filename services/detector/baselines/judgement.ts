import type { HealthStatus } from '../../../shared/detection/health-metrics.js';

/** What a baseline says of a value. */
export interface Judgement {
  readonly value: number;
  /** What was to be expected, and the spread of it; in the value's unit. */
  readonly mean: number;
  readonly std: number;
  /** Robust: (value - mean) / std, with the floors of small counts in `std`. 0 where nothing can be said. */
  readonly z: number;
  readonly status: HealthStatus;
}
