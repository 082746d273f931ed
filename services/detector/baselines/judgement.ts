import type { HealthStatus } from '../../../shared/detection/health-metrics.js';

/** A baseline's judgement of a value. */
export interface Judgement {
  readonly value: number;
  /** The expected value and its spread, in the value's unit. */
  readonly mean: number;
  readonly std: number;
  /**
   * Robust: (value - mean) / std, where `std` includes the floors for small counts. 0 if nothing is known.
   */
  readonly z: number;
  readonly status: HealthStatus;
}
