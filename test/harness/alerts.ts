import { type Alert, alertIdOf } from '../../shared/alerts/alert.js';
import { insertAlerts } from '../../shared/reads/alerts/alert-writes.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';

/**
 * An alert as a detector creates it.
 * @param given the id follows from the other fields, unless it is given
 */
export function testAlert(given: Partial<Alert> & Pick<Alert, 'websiteId'>): Alert {
  const createdAt = given.createdAt ?? Date.parse('2026-11-21T09:00:00Z');
  const alert = {
    type: 'error_rate' as const,
    severity: 'warning' as const,
    subject: '',
    message: '12 % of 1,000 requests were answered with errors; 2 % are usual.',
    details: { current_value: 12, baseline_value: 2 },
    createdAt,
    lastSeen: createdAt,
    occurrences: 1,
    ...given,
  };
  return { ...alert, alertId: given.alertId ?? alertIdOf(alert) };
}

/** Stores an alert as a detector does. */
export async function insertAlert(
  writer: ClickHouseWriter,
  given: Partial<Alert> & Pick<Alert, 'websiteId'>,
): Promise<Alert> {
  const alert = testAlert(given);
  await insertAlerts(writer, [alert]);
  return alert;
}
