import { z } from '@hono/zod-openapi';
import { BEGAN_AFTER, FIRST_REQUEST_AT, LAST_REQUEST_AT, severities } from '../../alerts/alert.js';
import { DAY_MS, SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type Asked, standaloneAnswer } from '../answer/answer.js';
import { count } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { alert, alertType, type NameOfActor, toAlert } from './alert-answer.js';
import { type AlertFilter, countAlerts, readAlertHeads, readAlerts } from './alerts-sql.js';
import { type GroupedAlert, groupIncidents, type Incident, incidentTitle, isActive } from './incidents.js';

/** Alerts, newest first, and the same alerts grouped into incidents (spec §2.4). */

/** Only the newest alerts of a website are grouped into incidents; older incidents are not listed. */
export const MOST_GROUPED = 10_000;

const UNACKNOWLEDGED_DAYS = 30;

const unacknowledged = (what: string) =>
  count(
    `${what} of the last ${UNACKNOWLEDGED_DAYS} days that nobody has acknowledged, independent of the filters of the call.`,
  );

export const alertList = {
  alerts: z.array(alert).openapi({ description: 'Newest first.' }),
  count: count('Alerts in this answer.'),
  unacknowledged_count: unacknowledged('Alerts'),
};

export interface AlertsInput extends Pick<AlertFilter, 'type' | 'acknowledged' | 'selection'> {
  readonly limit: number;
  readonly nameOf: NameOfActor;
}

export const alerts = standaloneAnswer({
  schema: z.object(alertList),
  async read(reader, scope, { limit, nameOf, ...filter }: AlertsInput) {
    const rows = await readAlerts(reader, scope.websiteId, filter, { limit });
    return {
      alerts: rows.map((row) => toAlert(scope.websiteId, row, nameOf)),
      count: rows.length,
      unacknowledged_count: await countUnacknowledged(reader, scope),
    };
  },
});

export function countUnacknowledged(reader: ClickHouseReader, { websiteId, now }: Asked): Promise<number> {
  const selection = { start: now - UNACKNOWLEDGED_DAYS * DAY_MS, end: now + 1 };
  return countAlerts(reader, websiteId, { acknowledged: false, selection });
}

const incident = z
  .object({
    fingerprint: z
      .string()
      .openapi({ description: 'Shared by all its alerts.', example: 'error_rate|warning|' }),
    alert_type: alertType,
    severity: z.enum(severities),
    subject: z.string().openapi({
      description: 'The subject: a crawler, an address or a path; empty: the whole website.',
    }),
    title: z.string(),
    first_seen: instant.openapi({ description: 'End of the window of the first finding.' }),
    last_seen: instant.openapi({ description: 'End of the window of the last finding.' }),
    began_after: instant.nullable().openapi({
      description: 'The incident began between this instant and first_seen; null: unknown.',
    }),
    first_request_at: instant.nullable().openapi({
      description:
        'Time of the first request that it is about: a failed one, or one of the address; null: unknown.',
    }),
    last_request_at: instant.nullable().openapi({
      description: 'Time of the last such request until last_seen; null: unknown.',
    }),
    duration_seconds: count('From first_seen to last_seen.'),
    count: count('Alerts in it.'),
    alerts: z.array(z.string()).openapi({ description: 'Ids of its alerts, newest first.' }),
    latest_alert: alert,
    status: z.enum(['active', 'cleared']).openapi({
      description:
        'cleared: not found again for more than 2 hours. The limit is 24 hours for nightly checks, and for a subject that was suppressed before it cleared.',
    }),
    acknowledged_all: z.boolean(),
  })
  .openapi('Incident');

export interface IncidentsInput extends AlertsInput {
  /** Names with snoozed alerts, in lower case, each with the start of the snooze (`isActive`). */
  readonly snoozed: ReadonlyMap<string, number>;
}

/** `acknowledged`: all alerts of the incident are acknowledged. */
export const incidents = standaloneAnswer({
  schema: z.object({
    incidents: z.array(incident).openapi({ description: 'Most recently seen first.' }),
    count: count('Incidents in this answer.'),
    unacknowledged_count: unacknowledged('Incidents with an alert'),
    unacknowledged_alert_count: unacknowledged('Alerts'),
  }),
  async read(reader, scope, { limit, type, acknowledged, snoozed, nameOf }: IncidentsInput) {
    const heads = await readAlertHeads(reader, scope.websiteId, {}, { limit: MOST_GROUPED });
    const all = groupIncidents(heads);
    const shown = all
      .filter((each) => type === undefined || each.type === type)
      .filter((each) => acknowledged === undefined || isAcknowledged(each) === acknowledged)
      .slice(0, limit);
    const ids = [...new Set(shown.flatMap(({ alerts: of }) => [of[0]!.alertId, of.at(-1)!.alertId]))];
    const ends =
      ids.length === 0 ? [] : await readAlerts(reader, scope.websiteId, { ids }, { limit: ids.length });
    const byId = new Map(ends.map((row) => [row.alertId, toAlert(scope.websiteId, row, nameOf)]));
    const isNews = ({ acknowledged, createdAt }: GroupedAlert) =>
      !acknowledged && createdAt >= scope.now - UNACKNOWLEDGED_DAYS * DAY_MS;
    return {
      incidents: shown.flatMap((each) => {
        const latestAlert = byId.get(each.alerts[0]!.alertId);
        // Erased in the meantime.
        if (latestAlert === undefined) return [];
        const first = byId.get(each.alerts.at(-1)!.alertId) ?? latestAlert;
        return [
          {
            ...toIncident(each, { now: scope.now, snoozed }),
            title: incidentTitle(each, latestAlert.details),
            began_after: instantIn(first.details, BEGAN_AFTER),
            first_request_at: instantIn(first.details, FIRST_REQUEST_AT),
            last_request_at: instantIn(latestAlert.details, LAST_REQUEST_AT),
            latest_alert: latestAlert,
          },
        ];
      }),
      count: shown.length,
      unacknowledged_count: all.filter((each) => each.alerts.some(isNews)).length,
      unacknowledged_alert_count: await countUnacknowledged(reader, scope),
    };
  },
});

function instantIn(
  details: Readonly<Record<string, unknown>>,
  name: typeof BEGAN_AFTER | typeof FIRST_REQUEST_AT | typeof LAST_REQUEST_AT,
): string | null {
  const read = z.iso.datetime().safeParse(details[name]);
  return read.success ? read.data : null;
}

function isAcknowledged({ alerts }: Incident): boolean {
  return alerts.every(({ acknowledged }) => acknowledged);
}

function toIncident(
  incident: Incident,
  moment: { readonly now: number; readonly snoozed: ReadonlyMap<string, number> },
) {
  const { fingerprint, type, severity, subject, firstSeen, lastSeen, alerts } = incident;
  return {
    fingerprint,
    alert_type: type,
    severity,
    subject,
    first_seen: toInstant(firstSeen),
    last_seen: toInstant(lastSeen),
    duration_seconds: Math.round((lastSeen - firstSeen) / SECOND_MS),
    count: alerts.length,
    alerts: alerts.map(({ alertId }) => alertId),
    status: isActive(incident, moment) ? ('active' as const) : ('cleared' as const),
    acknowledged_all: isAcknowledged(incident),
  };
}
