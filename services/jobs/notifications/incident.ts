import { type Alert, fingerprintOf, type Severity, severities } from '../../../shared/alerts/alert.js';
import { JOIN_WINDOW_MS } from '../../../shared/alerts/windows.js';
import type { AlertTrace } from '../../../shared/queries/alert-traces.js';

/**
 * Which alerts are news. People are told of an incident once, however long it goes on, and once more when it gets worse: so here, other than in
 * the listing (spec §3.4), alerts of one type and subject are one incident whatever their severity.
 */

export interface Incident {
  /** The id of its first alert. */
  readonly id: string;
  /** The worst of its alerts. */
  readonly severity: Severity;
  /** Milliseconds since the epoch, as `lastSeen`. */
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly alerts: number;
  /** Of its alerts together. */
  readonly occurrences: number;
}

/** From 1: as settings name severities. */
export const rankOf = (severity: Severity): number => severities.indexOf(severity) + 1;

/** Fingerprints of the alerts that may be of one incident with it. */
export function kinFingerprints({ type, subject }: Pick<Alert, 'type' | 'subject'>): string[] {
  return severities.map((severity) => fingerprintOf({ type, severity, subject }));
}

/**
 * The incident of an alert that people are to be told of; null where they were, by an alert of the incident that was no less severe. It
 * does not depend on what came after the alert: read again, it is told or not as it was.
 * @param kin alerts of its type and subject, it among them or not, in any order
 */
export function newsOf(alert: AlertTrace, kin: readonly AlertTrace[]): Incident | null {
  const before = kin
    .filter(({ alertId, createdAt }) => alertId !== alert.alertId && createdAt <= alert.createdAt)
    .sort((one, other) => one.createdAt - other.createdAt);
  const [incident] = incidentsOf([...before, alert]).slice(-1);
  return incident!.some((other) => precedes(other, alert)) ? null : summaryOf(incident!);
}

/** Whether the one has told what the other would tell. Of two found at once the worse is told. */
function precedes(one: AlertTrace, other: AlertTrace): boolean {
  if (one.alertId === other.alertId) return false;
  return one.createdAt < other.createdAt
    ? rankOf(one.severity) >= rankOf(other.severity)
    : rankOf(one.severity) > rankOf(other.severity);
}

/** @param alerts of one type and subject, the oldest first. @returns them by incident, the oldest first. */
export function incidentsOf<Trace extends AlertTrace>(alerts: readonly Trace[]): Trace[][] {
  const incidents: Trace[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const alert of alerts) {
    if (alert.createdAt - end > JOIN_WINDOW_MS) incidents.push([]);
    incidents.at(-1)!.push(alert);
    end = Math.max(end, alert.lastSeen);
  }
  return incidents;
}

/** @param alerts at least one, the oldest first */
export function summaryOf(alerts: readonly AlertTrace[]): Incident {
  const worst = Math.max(...alerts.map(({ severity }) => rankOf(severity)));
  return {
    id: alerts[0]!.alertId,
    severity: severities[worst - 1]!,
    startedAt: alerts[0]!.createdAt,
    lastSeen: Math.max(...alerts.map(({ lastSeen }) => lastSeen)),
    alerts: alerts.length,
    occurrences: alerts.reduce((sum, { occurrences }) => sum + occurrences, 0),
  };
}
