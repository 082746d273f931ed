import { type Alert, alertIdOf, fingerprintOf, type Severity } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { CheckResult, Verdict } from '../../../shared/reads/checks/verdict.js';

/** Which failing checks are alerts (spec §6): those that did not fail when they were last known, and those that go on failing. Pure. */

/** What is stored of a check from the last evaluation. */
export interface CheckBefore {
  readonly checkId: string;
  /** Milliseconds since the epoch. */
  readonly evaluatedAt: number;
  /** The last verdict that was not unknown: a night in which nothing could be told ends no failure and begins none. */
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

/** A failure that some nights told nothing of is still the same. */
const SAME_FAILURE_MS = 3 * DAY_MS;

/** An evaluation that comes sooner is of the same night: the one before ended before its end was recorded, or somebody asked for another. */
const SAME_NIGHT_MS = 12 * HOUR_MS;

/** Since when alerts are to be known. @param evaluatedAt of the last evaluation, milliseconds since the epoch. */
export function alertsSince(evaluatedAt: number): number {
  return evaluatedAt - SAME_FAILURE_MS;
}

/**
 * The alerts to store and to tell. An evaluation that was cut off after it had alerted, or after its verdicts were stored, is done again: what it said is
 * said again as it was, which tells nobody anything twice and counts no night twice. A first evaluation alerts of nothing, since nothing flipped.
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
    // Where it was told of no failure, as while alerts were switched off, its going on is no news either.
    if (open === undefined) return [];
    if (now - open.lastSeen < SAME_NIGHT_MS) return [open];
    return [{ ...open, lastSeen: now, occurrences: open.occurrences + 1 }];
  });
}

/** What search engines can not do without is critical. */
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
