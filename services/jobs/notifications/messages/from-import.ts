import type { Alert } from '../../../../shared/alerts/alert.js';
import { HOUR_MS } from '../../../../shared/durations.js';

/** Alerts of logs that arrived long after their requests (services/detector): `details.from_import`, and their age in whole hours, `details.hours_old`. */

export function isFromImport({ details }: Pick<Alert, 'details'>): boolean {
  return details.from_import === true;
}

/**
 * The time by which the alert was found, milliseconds since the epoch. A live alert is found when its interval ends. The age of an imported one is rounded
 * down, so its result is up to an hour too late and never too early. `FOUND_AT` in services/jobs/notifications/messages/alert-traces.ts is the same in SQL.
 */
export function foundAt(alert: Pick<Alert, 'createdAt' | 'details'>): number {
  if (!isFromImport(alert)) return alert.createdAt;
  const hours = Number(alert.details.hours_old);
  return alert.createdAt + (Number.isFinite(hours) ? hours + 1 : 1) * HOUR_MS;
}
