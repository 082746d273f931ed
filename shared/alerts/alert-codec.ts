import type { NewRecord } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import { type Alert, type AlertType, alertTypes, type Severity, severities } from './alert.js';

/**
 * A record of the topic `alerts`: a new or repeated alert. Its key is the website. Records are delivered at least once.
 * If two records have one id, the one with more occurrences is valid.
 */

interface Envelope {
  website_id: string;
  alert_id: string;
  type: string;
  severity: string;
  subject: string;
  message: string;
  details: string;
  created_at: number;
  last_seen: number;
  occurrences: number;
}

const codec = versionedAvro<Envelope>('alerts', 1);

/** Record for the topic `alerts`. */
export function alertRecord(alert: Alert): NewRecord {
  const { websiteId, alertId, type, severity, subject, message, details } = alert;
  const value = codec.encode({
    website_id: websiteId,
    alert_id: alertId,
    type,
    severity,
    subject,
    message,
    details: JSON.stringify(details),
    created_at: alert.createdAt,
    last_seen: alert.lastSeen,
    occurrences: alert.occurrences,
  });
  return { key: websiteId, value };
}

/** @throws Error that describes the malformed bytes, or names a type or severity that this release does not know. */
export function decodeAlert(value: Buffer): Alert {
  const { type, severity, subject, message, details, occurrences, ...rest } = codec.decode(value);
  if (!isType(type)) throw new Error(`alerts: unknown type ${JSON.stringify(type.slice(0, 60))}`);
  if (!isSeverity(severity))
    throw new Error(`alerts: unknown severity ${JSON.stringify(severity.slice(0, 60))}`);
  return {
    websiteId: rest.website_id,
    alertId: rest.alert_id,
    type,
    severity,
    subject,
    message,
    details: JSON.parse(details),
    createdAt: rest.created_at,
    lastSeen: rest.last_seen,
    occurrences,
  };
}

function isType(text: string): text is AlertType {
  return Object.hasOwn(alertTypes, text);
}

function isSeverity(text: string): text is Severity {
  return (severities as readonly string[]).includes(text);
}
