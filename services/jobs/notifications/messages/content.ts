import type { Alert, AlertType, Severity } from '../../../../shared/alerts/alert.js';

/** The content of messages, as JSON in the table of deliveries. Only this service writes and reads it. */

export interface AlertContent {
  /** The first of its incident, or one that is much worse. */
  readonly alert: Alert;
  /** Milliseconds since the epoch. This is the last message of its hour: until then, new alerts are only listed (hourly-bound.ts). */
  readonly quietUntil?: number;
}

/** Alerts of imported logs, summarised. */
export interface ImportContent {
  /** Milliseconds since the epoch: when the first alert was found, and the last was seen. */
  readonly from: number;
  readonly to: number;
  /** The number of alerts. */
  readonly count: number;
  /** The most frequent first. */
  readonly byType: readonly (readonly [AlertType, number])[];
  /** Some of them: the most severe first, then the latest. */
  readonly imported: readonly ImportedAlert[];
}

export type ImportedAlert = Pick<
  Alert,
  'alertId' | 'type' | 'severity' | 'subject' | 'message' | 'createdAt' | 'lastSeen'
>;

/** The content of an e-mail or a webhook. */
export type MessageContent = AlertContent | ImportContent;

export interface DigestContent {
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** The most severe first, then the latest. */
  readonly incidents: readonly DigestIncident[];
  /** The number of other incidents. */
  readonly more: number;
}

export interface DigestIncident {
  readonly type: AlertType;
  readonly severity: Severity;
  readonly subject: string;
  /** The message of its last alert. */
  readonly message: string;
  /** Milliseconds since the epoch, as `lastSeen`. */
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly alerts: number;
  /** All of its alerts come from imported logs. */
  readonly isImported: boolean;
}

/** Counts incidents by severity. */
export function countBySeverity(incidents: readonly { readonly severity: Severity }[]): [Severity, number][] {
  const counts = new Map<Severity, number>();
  for (const { severity } of incidents) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return [...counts];
}

export interface ExportContent {
  readonly exportId: string;
}
