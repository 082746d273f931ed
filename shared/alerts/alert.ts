import { createHash } from 'node:crypto';

/** What the detector fires (spec §2.4): the types, their families, and how one alert is told from another. */

/** Rules are grouped for how often they look and what may be switched off (spec §2.4 `…_alerts_enabled`, `…_frequency_minutes`). */
export const alertFamilies = ['traffic', 'error', 'bot', 'seo'] as const;
export type AlertFamily = (typeof alertFamilies)[number];

/** Each type has one family; `nightly`: found once a day, so it clears after a day (spec §3.4). */
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

/** In rising order: thresholds of channels name them by their place from 1 (spec §2.4 `min_email_severity`). */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** From 1: as settings name severities. */
export const rankOf = (severity: Severity): number => severities.indexOf(severity) + 1;

export interface Alert {
  readonly websiteId: string;
  /** `<createdAt in ISO 8601>#<six hexadecimal digits>` */
  readonly alertId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  /** What it is about: a crawler, an address, a path; '' for the whole website. */
  readonly subject: string;
  /** One sentence for a person. */
  readonly message: string;
  /** Evidence, by the type. Values that a JSON document can hold. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch: the end of the interval in which it was found. */
  readonly createdAt: number;
  /** Milliseconds since the epoch: the end of the last interval in which it was found again. */
  readonly lastSeen: number;
  /** From 1. */
  readonly occurrences: number;
}

/** Repeats share it (spec §2.4): `alert_type|severity|subject`. */
export function fingerprintOf({
  type,
  severity,
  subject,
}: Pick<Alert, 'type' | 'severity' | 'subject'>): string {
  return `${type}|${severity}|${subject}`;
}

/** What an alert is about, from its fingerprint: the rest of it, whatever is in it. */
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

/** In the details of an alert that is much worse than the one whose id it holds, of the same incident: people are told again. */
export const WORSE_THAN = 'worse_than';

/** The same finding in the same interval has the same id, however often it is worked out. */
export function alertIdOf(
  alert: Pick<Alert, 'websiteId' | 'type' | 'severity' | 'subject' | 'createdAt'>,
): string {
  const suffix = createHash('sha256')
    .update(`${alert.websiteId}\n${fingerprintOf(alert)}`)
    .digest('hex')
    .slice(0, 6);
  return `${new Date(alert.createdAt).toISOString()}#${suffix}`;
}
