import { type AlertType, alertTypeNames, type Severity } from '../../alerts/alert.js';
import { clearWindowOf, JOIN_WINDOW_MS } from '../../alerts/windows.js';

/** Groups alerts into incidents: repeats within the join window are one incident (spec §2.4, §3.4). */

/** The fields of an alert that decide its incident. */
export interface JoinedAlert {
  readonly alertId: string;
  readonly type: string;
  readonly severity: Severity;
  readonly fingerprint: string;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly lastSeen: number;
}

/** An alert as the list shows it. */
export interface GroupedAlert extends JoinedAlert {
  readonly acknowledged: boolean;
}

export interface Incident<One = GroupedAlert> {
  readonly fingerprint: string;
  readonly type: string;
  readonly severity: Severity;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Newest first; at least one. */
  readonly alerts: readonly One[];
}

/** @param alerts in any order. @returns the most recently seen incident first. */
export function groupIncidents<One extends JoinedAlert>(alerts: Iterable<One>): Incident<One>[] {
  const oldestFirst = [...alerts].sort(
    (one, other) => one.createdAt - other.createdAt || compare(one.alertId, other.alertId),
  );
  const incidents: Growing<One>[] = [];
  const running = new Map<string, Growing<One>>();
  for (const alert of oldestFirst) {
    const joined = running.get(alert.fingerprint);
    if (joined !== undefined && alert.createdAt - joined.lastSeen <= JOIN_WINDOW_MS) {
      joined.alerts.push(alert);
      joined.lastSeen = Math.max(joined.lastSeen, alert.lastSeen);
      continue;
    }
    const { fingerprint, type, severity, subject, createdAt, lastSeen } = alert;
    const begun = { fingerprint, type, severity, subject, firstSeen: createdAt, lastSeen, alerts: [alert] };
    running.set(fingerprint, begun);
    incidents.push(begun);
  }
  for (const { alerts } of incidents) alerts.reverse();
  return incidents.sort(
    (one, other) => other.lastSeen - one.lastSeen || compare(one.fingerprint, other.fingerprint),
  );
}

interface Growing<One> extends Omit<Incident<One>, 'lastSeen' | 'alerts'> {
  lastSeen: number;
  /** Oldest first until all alerts are added. */
  readonly alerts: One[];
}

/** Types of a later release have the default clear time. */
const UNKNOWN_TYPE: AlertType = 'error_rate';

/**
 * Whether the incident can still repeat within its clear window at `now`, milliseconds since the epoch.
 * @param snoozed subjects in lower case, each with the start of the snooze in milliseconds since the epoch. An incident that cleared before
 * that stays cleared.
 */
export function isActive(
  { type, subject, lastSeen }: Pick<GroupedAlert, 'type' | 'subject' | 'lastSeen'>,
  { now, snoozed }: { readonly now: number; readonly snoozed: ReadonlyMap<string, number> },
): boolean {
  const knownType = alertTypeNames.find((each) => each === type) ?? UNKNOWN_TYPE;
  const usual = lastSeen + clearWindowOf(knownType, false);
  const snoozedAt = snoozed.get(subject.toLowerCase());
  if (snoozedAt === undefined || snoozedAt > usual) return now <= usual;
  return now <= lastSeen + clearWindowOf(knownType, true);
}

/** A title of a few words for lists. `subject`: as in the alert. */
const titles: Readonly<Record<AlertType, (subject: string) => string>> = {
  traffic_spike: () => 'Far more requests than usual',
  traffic_drop: () => 'Far fewer requests than usual',
  log_silence: () => 'No logs arrive any more',
  latency_spike: () => 'The server answers more slowly than usual',
  error_rate: () => 'More requests than usual are answered with errors',
  error_spike_5xx: () => 'The server fails more often than usual',
  not_found_spike: () => 'More pages than usual are not found',
  new_bot: (subject) => `${subject || 'A bot'} was not seen before`,
  fake_crawler: (subject) => `Somebody claims to be ${subject || 'a crawler'}`,
  undeclared_agent: (subject) => `An undeclared agent${subject && ` of ${subject}`} reads the website`,
  hacking_probe: (subject) => `${subject || 'Somebody'} attacks the website`,
  scraper: (subject) => `${subject || 'Somebody'} scrapes the website`,
  crawler_drop: (subject) => `${subject || 'A crawler'} comes less often than usual`,
  crawler_errors: (subject) => `${subject || 'A crawler'} meets more errors than usual`,
  crawler_blocked: (subject) => `${subject || 'A crawler'} is turned away`,
  check_failed: (subject) => `A check fails${subject && `: ${subject}`}`,
};
const titleByType = new Map<string, (subject: string) => string>(Object.entries(titles));

/** By `attack` in the details of a hacking_probe (services/detector/rules/hacking-probe.ts). */
const attackTitles = new Map<unknown, string>([
  ['sign_in', 'tries to sign in again and again'],
  ['paths', 'looks for security holes'],
]);

/**
 * @param type a type of a later release is shown by its name.
 * @param details of the alert, if they were read.
 */
export function incidentTitle(
  { type, subject }: Pick<GroupedAlert, 'type' | 'subject'>,
  details: Readonly<Record<string, unknown>> = {},
): string {
  const attack = attackTitles.get(details.attack);
  if (type === 'hacking_probe' && attack !== undefined) return `${subject || 'Somebody'} ${attack}`;
  return titleByType.get(type)?.(subject) ?? `${type}${subject && `: ${subject}`}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
