import { type Alert, type AlertType, alertIdOf, fingerprintOf } from '../../../shared/alerts/alert.js';
import { clearWindowOf } from '../../../shared/alerts/windows.js';
import type { Finding } from '../rules/rule.js';

/** Alerts that a repeat may still join, by fingerprint. */
export type OpenAlerts = Map<string, Alert>;

/** So many subjects at a time are followed; the one that was seen last longest ago goes first. */
const MAX_OPEN = 500;

/**
 * A finding becomes a new alert, or joins the open one of its fingerprint: `occurrences` + 1 and `lastSeen`. The evidence stays what it
 * was when the alert fired. Mutates.
 * @returns undefined: it is in the open alert already, which was stored before a restart
 */
export function mergeFinding(
  open: OpenAlerts,
  websiteId: string,
  type: AlertType,
  { subject, severity, message, details }: Finding,
  end: number,
): Alert | undefined {
  const fingerprint = fingerprintOf({ type, severity, subject });
  const known = open.get(fingerprint);
  if (known !== undefined && end <= known.lastSeen) return undefined;
  const isRepeat = known !== undefined && end - known.lastSeen <= clearWindowOf(type, false);
  const found = { websiteId, type, severity, subject, createdAt: end };
  const alert: Alert = isRepeat
    ? { ...known, lastSeen: end, occurrences: known.occurrences + 1 }
    : { ...found, alertId: alertIdOf(found), message, details, lastSeen: end, occurrences: 1 };
  // Set anew, so that the Map's order is that of the last sightings.
  open.delete(fingerprint);
  open.set(fingerprint, alert);
  dropOldest(open);
  return alert;
}

function dropOldest(open: OpenAlerts): void {
  for (const fingerprint of open.keys()) {
    if (open.size <= MAX_OPEN) return;
    open.delete(fingerprint);
  }
}

/** Lets go of those that no repeat can join any more. Mutates. */
export function clearAlerts(open: OpenAlerts, now: number): void {
  for (const [fingerprint, { type, lastSeen }] of open) {
    if (now - lastSeen > clearWindowOf(type, false)) open.delete(fingerprint);
  }
}

/** Takes over what was stored after the state was saved: of each fingerprint the one that was seen last. Mutates. */
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
