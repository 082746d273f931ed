import { type Alert, alertIdOf } from '../../../shared/alerts/alert.js';

/** An alert with an immediate message to its owner, and in a digest. */

export const alertOf = (websiteId: string, createdAt: number): Alert => {
  const found = { websiteId, type: 'error_spike_5xx', severity: 'critical', subject: '', createdAt } as const;
  const message = '31 % of requests failed, 0.4 % are usual.';
  return { ...found, alertId: alertIdOf(found), message, details: {}, lastSeen: createdAt, occurrences: 1 };
};
