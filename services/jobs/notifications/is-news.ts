import type { Alert } from '../../../shared/alerts/alert.js';
import { JOIN_WINDOW_MS } from '../../../shared/alerts/windows.js';

/** What of an alert says whether it is news. Milliseconds since the epoch. */
export type SeenAlert = Pick<Alert, 'alertId' | 'createdAt' | 'lastSeen'> & { readonly fromImport: boolean };

/**
 * Whether an alert is the first of its incident (spec §3.4): people are told of an incident once, however long it goes on. It does not depend on what
 * came after the alert: read again, it is news or not as it was. Imported logs may come later than the live ones that followed them, so an imported alert
 * never makes a live one old.
 * @param kin alerts of its fingerprint, it among them or not, in any order
 */
export function isNews(alert: SeenAlert, kin: readonly SeenAlert[]): boolean {
  return !kin.some(
    ({ alertId, createdAt, lastSeen, fromImport }) =>
      (alert.fromImport || !fromImport) &&
      alertId !== alert.alertId &&
      createdAt <= alert.createdAt &&
      alert.createdAt - lastSeen <= JOIN_WINDOW_MS,
  );
}
