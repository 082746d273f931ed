import type { Alert } from '../../../../shared/alerts/alert.js';
import { JOIN_WINDOW_MS } from '../../../../shared/alerts/windows.js';

/** The fields of an alert that decide whether it is news. Milliseconds since the epoch. */
export type SeenAlert = Pick<Alert, 'alertId' | 'createdAt' | 'lastSeen'> & { readonly fromImport: boolean };

/**
 * Whether an alert is the first of its incident (spec §3.4): one incident is one message, however long it lasts; queue-deliveries.ts adds alerts that are much worse. Later alerts do not change the result,
 * so reading the record again has the same result. Imported logs may arrive after the live logs that followed them, so an imported alert is never the
 * first one of a live alert's incident.
 * @param kin alerts of the same fingerprint, in any order, with or without this one
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
