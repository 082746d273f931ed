import type { Alert } from '../../shared/alerts/alert.js';
import type { HealthMetric } from '../../shared/detection/health-metrics.js';
import type { NamesIt } from '../../shared/requests/naming-address.js';
import type { Circumstances } from './circumstances.js';
import type { DueInterval, Evaluating } from './evaluate-website.js';
import type { HealthCounts } from './judge-interval.js';

/** What judges a website's intervals, as the service around it sees it: pure, of a state that only it can read. */
export interface DetectorCore<State> {
  newState(websiteId: string): State;
  /** @throws Error where the text is none of this version */
  decode(text: string): State;
  encode(state: State): string;
  /** Mutates the state. One call for each interval, in order. */
  closeInterval(state: State, interval: DueInterval, given: Circumstances): Evaluating;
  /** Alerts that were stored after the state was saved. What is found again in their intervals is not told again. */
  adoptAlerts(state: State, alerts: readonly Alert[]): void;
  /** Lets go of every text that names an address. Mutates the state. @returns whether there was any. */
  forgetAddress(state: State, names: NamesIt): boolean;
  /** What a metric of health says of some counts. */
  valueOf(metric: HealthMetric, counts: HealthCounts): number;
}
