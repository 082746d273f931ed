import type { AlertType } from '../../../shared/alerts/alert.js';

type Details = Readonly<Record<string, unknown>>;

const shareOf = ({ current_share_pct }: Details) => Number(current_share_pct);
const timesUsual = ({ current_value, baseline_value }: Details) =>
  Number(current_value) / Math.max(1, Number(baseline_value));
const timesTooFew = (details: Details) => 1 / Math.max(0.001, timesUsual(details));

/** For rules about the whole website or a crawler. Alerts about addresses have no measure: a client that changes addresses could repeat them. */
const measures: Partial<Record<AlertType, (details: Details) => number>> = {
  error_spike_5xx: shareOf,
  error_rate: shareOf,
  not_found_spike: shareOf,
  crawler_errors: shareOf,
  crawler_blocked: shareOf,
  latency_spike: timesUsual,
  traffic_spike: timesUsual,
  traffic_drop: timesTooFew,
  crawler_drop: ({ away_minutes }) => Number(away_minutes),
};

/** Findings that grow with their duration: the message is the latest repeat's, and no second alert follows. */
const growing: ReadonlySet<AlertType> = new Set(['crawler_drop']);

/**
 * Whether two findings of a type can be compared. Shares and counts of people's requests say nothing of those of all requests: half of
 * what people ask for may be a tenth of all.
 */
export function isSameKind(a: Details, b: Details): boolean {
  return a.of === b.of;
}

/** Whether a finding that is `times` as bad as the worst before is told again. */
export function isMuchWorse(type: AlertType, now: number, before: number, times: number): boolean {
  // 0: nothing is known to be worse than.
  return before > 0 && now >= times * before && !growing.has(type);
}

/** How bad a finding is, by its details. 0: its type has no measure, or its evidence was erased. */
export function magnitudeOf(type: AlertType, details: Details): number {
  const measured = measures[type]?.(details) ?? 0;
  return Number.isFinite(measured) ? measured : 0;
}
