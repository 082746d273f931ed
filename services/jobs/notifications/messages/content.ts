import type { Alert, AlertType, Severity } from '../../../../shared/alerts/alert.js';

/** What messages tell, as it stands in the table of deliveries: JSON that this service alone writes and reads. */

export interface AlertContent {
  /** The first of its incident. */
  readonly alert: Alert;
  /** Milliseconds since the epoch. It is the last message of its hour: until then what is found is in the listing alone (hourly-bound.ts). */
  readonly quietUntil?: number;
}

/** Alerts of imported logs, summarised. */
export interface ImportContent {
  /** Milliseconds since the epoch: when the first was found, and the last was seen. */
  readonly from: number;
  readonly to: number;
  /** How many alerts there are. */
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

/** What an e-mail or a webhook reports. */
export type MessageContent = AlertContent | ImportContent;

export interface DigestContent {
  /** Milliseconds since the epoch; `to` is not in it. */
  readonly from: number;
  readonly to: number;
  /** The worst first, of these the latest. */
  readonly incidents: readonly DigestIncident[];
  /** Incidents that there were besides. */
  readonly more: number;
}

export interface DigestIncident {
  readonly type: AlertType;
  readonly severity: Severity;
  readonly subject: string;
  /** Of its last alert. */
  readonly message: string;
  /** Milliseconds since the epoch, as `lastSeen`. */
  readonly startedAt: number;
  readonly lastSeen: number;
  readonly alerts: number;
  /** All of its alerts come from imported logs. */
  readonly isImported: boolean;
}

/** How many incidents were how severe. */
export function countBySeverity(incidents: readonly { readonly severity: Severity }[]): [Severity, number][] {
  const counts = new Map<Severity, number>();
  for (const { severity } of incidents) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return [...counts];
}

export interface ExportContent {
  readonly exportId: string;
}
