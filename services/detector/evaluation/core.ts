import type { Alert } from '../../../shared/alerts/alert.js';
import type { HealthMetric } from '../../../shared/detection/health-metrics.js';
import type { NamesIt } from '../../../shared/personal-data/naming-address.js';
import type { DueInterval } from '../arrivals/due-interval.js';
import type { HealthCounts } from '../gauges/judge-interval.js';
import type { Circumstances } from './circumstances.js';
import type { Evaluating } from './evaluate-website.js';

/** Evaluates a website's intervals. Pure; only the core can read its state. */
export interface DetectorCore<State> {
  newState(websiteId: string): State;
  /** @throws Error if the text is not a state of this version */
  decode(text: string): State;
  encode(state: State): string;
  /**
   * Yields the spans whose counts it needs, and resumes with the counts. Mutates the state. Call it once for
   * each interval, in order.
   */
  evaluateInterval(state: State, interval: DueInterval, given: Circumstances): Evaluating;
  /** Adds alerts that were stored after the state was saved, so that repeats join them. */
  adoptAlerts(state: State, alerts: readonly Alert[]): void;
  /**
   * Deletes every text that names an address. Mutates the state.
   * @returns whether there was any
   */
  forgetAddress(state: State, names: NamesIt): boolean;
  /** The value of a metric of health. */
  valueOf(metric: HealthMetric, counts: HealthCounts): number;
}
