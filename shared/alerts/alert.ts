import { createHash } from 'node:crypto';

/** Alerts of the detector (spec §2.4): types, families and identity. */

/** A family has its own frequency and can be switched off (spec §2.4 `…_alerts_enabled`, `…_frequency_minutes`). */
export const alertFamilies = ['traffic', 'error', 'bot', 'seo'] as const;
export type AlertFamily = (typeof alertFamilies)[number];

/** `nightly`: detected once a day, so the alert clears after a day (spec §3.4). */
export const alertTypes = {
  traffic_spike: { family: 'traffic' },
  traffic_drop: { family: 'traffic' },
  log_silence: { family: 'traffic' },
  latency_spike: { family: 'error' },
  error_rate: { family: 'error' },
  error_spike_5xx: { family: 'error' },
  not_found_spike: { family: 'error' },
  new_bot: { family: 'bot' },
  fake_crawler: { family: 'bot' },
  undeclared_agent: { family: 'bot' },
  hacking_probe: { family: 'bot' },
  scraper: { family: 'bot' },
  crawler_drop: { family: 'seo' },
  crawler_errors: { family: 'seo' },
  crawler_blocked: { family: 'seo' },
  check_failed: { family: 'seo', nightly: true },
} as const satisfies Record<string, { readonly family: AlertFamily; readonly nightly?: true }>;
export type AlertType = keyof typeof alertTypes;
export const alertTypeNames = Object.keys(alertTypes) as AlertType[];

/** In rising order. Settings refer to a severity by its rank, from 1 (spec §2.4 `min_email_severity`). */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** Rank of a severity, from 1. */
export const rankOf = (severity: Severity): number => severities.indexOf(severity) + 1;

export interface Alert {
  readonly websiteId: string;
  /** `<createdAt in ISO 8601>#<six hexadecimal digits>` */
  readonly alertId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  /** A crawler, an address or a path; '' for the whole website. */
  readonly subject: string;
  /** One sentence, shown to people. */
  readonly message: string;
  /** Evidence, by type, as JSON values. */
  readonly details: Readonly<Record<string, unknown>>;
  /** End of the interval in which the alert was first detected, milliseconds since the epoch. */
  readonly createdAt: number;
  /** End of the last interval in which the alert was detected, milliseconds since the epoch. */
  readonly lastSeen: number;
  /** From 1. */
  readonly occurrences: number;
}

/** Repeats of an alert share this key (spec §2.4): `alert_type|severity|subject`. */
export function fingerprintOf({
  type,
  severity,
  subject,
}: Pick<Alert, 'type' | 'severity' | 'subject'>): string {
  return `${type}|${severity}|${subject}`;
}

/** Extracts the subject from an alert's fingerprint. */
export function subjectOf({
  type,
  severity,
  fingerprint,
}: {
  readonly type: string;
  readonly severity: string;
  readonly fingerprint: string;
}): string {
  return fingerprint.slice(type.length + severity.length + 2);
}

/**
 * Key in `details`: the id of an earlier alert of the same incident. The new alert is much worse, so people are
 * notified again.
 */
export const WORSE_THAN = 'worse_than';

/** Keys in `details`: instants between which the alert began, and of its first and last request, where known. */
export const BEGAN_AFTER = 'began_after';
export const FIRST_REQUEST_AT = 'first_request_at';
export const LAST_REQUEST_AT = 'last_request_at';

/** Deterministic: the same finding in the same interval always has the same id. */
export function alertIdOf(
  alert: Pick<Alert, 'websiteId' | 'type' | 'severity' | 'subject' | 'createdAt'>,
): string {
  const suffix = createHash('sha256')
    .update(`${alert.websiteId}\n${fingerprintOf(alert)}`)
    .digest('hex')
    .slice(0, 6);
  return `${new Date(alert.createdAt).toISOString()}#${suffix}`;
}
