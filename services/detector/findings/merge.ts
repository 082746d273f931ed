import {
  type Alert,
  type AlertType,
  alertIdOf,
  fingerprintOf,
  WORSE_THAN,
} from '../../../shared/alerts/alert.js';
import { clearWindowOf } from '../../../shared/alerts/windows.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { Finding } from '../rules/rule.js';
import { continued, withoutTimes } from './beginning.js';
import { isMuchWorse, isSameKind, magnitudeOf } from './magnitude.js';

/** Alerts, by fingerprint, to which a repeated finding can still be added. */
export type OpenAlerts = Map<string, Alert>;

/** Most open alerts. The one with the oldest last finding is dropped first. */
const MAX_OPEN = 500;

/** After this the rule no longer expects the crawler. */
const LONGEST_ABSENCE_MS = 14 * DAY_MS;

/**
 * A repeat this many times worse than the worst one raises a new alert, after the first alert has been open
 * for this time.
 */
const MUCH_WORSE = { times: 2, afterMs: HOUR_MS } as const;

/**
 * Raises a new alert for a finding, or adds it to the open alert with its fingerprint: `occurrences` + 1 and
 * `lastSeen`.
 *
 * Message and details are those of the worst window. If that is a repeat, `details.at` is its end, and
 * `details.first` is the evidence of the first window. A much worse repeat is a separate alert of the same
 * incident, with the former id in `details.worse_than`. Mutates.
 * @returns undefined if the open alert, which was stored before a restart, already includes the finding
 */
export function mergeFinding(
  open: OpenAlerts,
  websiteId: string,
  type: AlertType,
  finding: Finding,
  end: number,
): Alert | undefined {
  const { subject, severity, message, details } = finding;
  const fingerprint = fingerprintOf({ type, severity, subject });
  const known = open.get(fingerprint);
  if (known !== undefined && end <= known.lastSeen) return undefined;
  const isRepeat =
    known !== undefined &&
    (end - known.lastSeen <= clearWindowOf(type, false) || isSameAbsence(type, known.details, details));
  const found = { websiteId, type, severity, subject, createdAt: end };
  const fired = { ...found, alertId: alertIdOf(found), message, details, lastSeen: end, occurrences: 1 };
  const alert: Alert = isRepeat ? repeated(known, finding, fired) : fired;
  // Moved to the end, so that the Map's order is that of the last findings.
  open.delete(fingerprint);
  open.set(fingerprint, alert);
  dropOldest(open);
  return alert;
}

/** A crawler's absence is one alert. In a quiet night, or under inhibition, it is not found for hours. */
function isSameAbsence(type: AlertType, known: Alert['details'], now: Alert['details']): boolean {
  const { last_seen_at: last } = known;
  return type === 'crawler_drop' && last !== undefined && last === now.last_seen_at;
}

function repeated(known: Alert, { message, details }: Finding, fresh: Alert): Alert {
  const { type, createdAt } = known;
  const end = fresh.createdAt;
  const before = magnitudeOf(type, known.details);
  // 0: a finding over people's requests cannot be compared with one over all requests.
  const now = isSameKind(known.details, details) ? magnitudeOf(type, details) : 0;
  if (isMuchWorse(type, now, before, MUCH_WORSE.times) && end - createdAt >= MUCH_WORSE.afterMs)
    return { ...fresh, details: { ...details, [WORSE_THAN]: known.alertId } };
  const times = continued(known.details, details);
  const repeat = {
    ...known,
    details: { ...known.details, ...times },
    lastSeen: end,
    occurrences: known.occurrences + 1,
  };
  if (before === 0 || now <= before) return repeat;
  const { first, at: _, ...fired } = withoutTimes(known.details);
  const worseThan = known.details[WORSE_THAN];
  return {
    ...repeat,
    message,
    details: {
      ...withoutTimes(details),
      ...times,
      at: new Date(end).toISOString(),
      first: first ?? fired,
      ...(worseThan !== undefined && { [WORSE_THAN]: worseThan }),
    },
  };
}

function dropOldest(open: OpenAlerts): void {
  for (const fingerprint of open.keys()) {
    if (open.size <= MAX_OPEN) return;
    open.delete(fingerprint);
  }
}

/** Deletes alerts that no repeat can join any more. Mutates. */
export function clearAlerts(open: OpenAlerts, now: number): void {
  for (const [fingerprint, { type, lastSeen }] of open) {
    const joinedMs = type === 'crawler_drop' ? LONGEST_ABSENCE_MS : clearWindowOf(type, false);
    if (now - lastSeen > joinedMs) open.delete(fingerprint);
  }
}

/** Adopts alerts that were stored after the state was saved: the latest one for each fingerprint. Mutates. */
export function adopt(open: OpenAlerts, alerts: readonly Alert[]): void {
  for (const alert of [...alerts].sort((a, b) => a.lastSeen - b.lastSeen)) {
    const fingerprint = fingerprintOf(alert);
    const known = open.get(fingerprint);
    if (known !== undefined && known.lastSeen >= alert.lastSeen) continue;
    open.delete(fingerprint);
    open.set(fingerprint, alert);
  }
  dropOldest(open);
}
