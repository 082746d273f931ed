import { type Alert, alertIdOf, fingerprintOf, type Severity } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { CheckResult, Verdict } from '../../../shared/reads/checks/verdict.js';

/** Decides which failing checks are alerts (spec §6): those that did not fail at their last known verdict, and those that still fail. Pure. */

/** The stored state of a check from its last evaluation. */
export interface CheckBefore {
  readonly checkId: string;
  /** Milliseconds since the epoch. */
  readonly evaluatedAt: number;
  /** The last verdict other than unknown. An unknown verdict neither begins nor ends a failure. */
  readonly lastKnown: Verdict | null;
}

export interface Evaluated {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly results: readonly CheckResult[];
  readonly before: readonly CheckBefore[];
  /** Alerts of checks that were seen since {@link alertsSince}. */
  readonly known: readonly Alert[];
}

/** A failure is still the same after a few unknown nights. */
const SAME_FAILURE_MS = 3 * DAY_MS;

/** An earlier evaluation is of the same night: the last one was not recorded as complete, or somebody requested another. */
const SAME_NIGHT_MS = 12 * HOUR_MS;

/** The earliest time for which alerts must be read. @param evaluatedAt of the last evaluation, milliseconds since the epoch */
export function alertsSince(evaluatedAt: number): number {
  return evaluatedAt - SAME_FAILURE_MS;
}

/**
 * The alerts to store and to send. An interrupted evaluation is repeated after its alerts or verdicts were stored. It then returns the same alerts, so
 * no message is sent twice and no night counts twice. A first evaluation has no alerts, because no verdict changed.
 */
export function alertsOfChecks({ websiteId, now, results, before, known }: Evaluated): Alert[] {
  const beforeOf = new Map(before.map((one) => [one.checkId, one]));
  const newest = new Map<string, Alert>();
  for (const alert of known) {
    const key = fingerprintOf(alert);
    if ((newest.get(key)?.lastSeen ?? 0) <= alert.lastSeen) newest.set(key, alert);
  }
  return results.flatMap((result) => {
    const last = beforeOf.get(result.checkId);
    if (result.verdict !== 'fail' || last === undefined || last.lastKnown === null) return [];
    const found = newAlert(websiteId, result, last.lastKnown, now);
    const open = newest.get(fingerprintOf(found));
    if (open !== undefined && open.lastSeen > last.evaluatedAt) return [open];
    if (last.lastKnown !== 'fail') return [found];
    // Without an alert for its start, for example while alerts were off, a lasting failure is no news either.
    if (open === undefined) return [];
    if (now - open.lastSeen < SAME_NIGHT_MS) return [open];
    return [{ ...open, lastSeen: now, occurrences: open.occurrences + 1 }];
  });
}

/** Checks that search engines depend on are critical. */
function severityOf(weight: number): Severity {
  if (weight >= 9) return 'critical';
  return weight >= 5 ? 'warning' : 'info';
}

function newAlert(
  websiteId: string,
  { checkId, title, category, weight, evidence }: CheckResult,
  previous: Verdict,
  now: number,
): Alert {
  const { note, outcome, requested_url, status } = evidence;
  const found = {
    websiteId,
    type: 'check_failed' as const,
    severity: severityOf(weight),
    subject: checkId,
    createdAt: now,
  };
  return {
    ...found,
    alertId: alertIdOf(found),
    message: `The nightly check “${title}” fails. ${note}`,
    details: {
      check_id: checkId,
      category,
      weight,
      previous_verdict: previous,
      ...(outcome !== undefined && { outcome }),
      ...(requested_url !== undefined && { requested_url }),
      ...(status !== undefined && { status }),
    },
    lastSeen: now,
    occurrences: 1,
  };
}
