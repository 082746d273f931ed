import type { AlertType } from '../../../shared/alerts/alert.js';

type Details = Readonly<Record<string, unknown>>;

const shareOf = ({ current_share_pct }: Details) => Number(current_share_pct);
const timesUsual = ({ current_value, baseline_value }: Details) =>
  Number(current_value) / Math.max(1, Number(baseline_value));
const timesTooFew = (details: Details) => 1 / Math.max(0.001, timesUsual(details));

/**
 * Measures for rules about the whole website or a crawler. Alerts about addresses have none: a client that
 * changes addresses could repeat them.
 */
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

/**
 * Findings that grow with their duration: the message is that of the latest repeat, and no second alert
 * follows.
 */
const growing: ReadonlySet<AlertType> = new Set(['crawler_drop']);

/**
 * Whether two findings of a type can be compared. Shares over people's requests differ from those over all
 * requests: half of people's requests may be a tenth of all.
 */
export function isSameKind(a: Details, b: Details): boolean {
  return a.of === b.of;
}

/** Whether a finding is `times` as bad as the worst one before, and therefore raises a new alert. */
export function isMuchWorse(type: AlertType, now: number, before: number, times: number): boolean {
  // 0: there is nothing to compare with.
  return before > 0 && now >= times * before && !growing.has(type);
}

/** The severity measure from a finding's details. 0: its type has no measure, or its evidence was erased. */
export function magnitudeOf(type: AlertType, details: Details): number {
  const measured = measures[type]?.(details) ?? 0;
  return Number.isFinite(measured) ? measured : 0;
}
