import { z } from '@hono/zod-openapi';
import { severities } from '../../alerts/alert.js';
import { DAY_MS, SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type Asked, standaloneAnswer } from '../answer/answer.js';
import { count } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { alert, alertType, toAlert } from './alert-answer.js';
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
}

export const alerts = standaloneAnswer({
  schema: z.object(alertList),
  async read(reader, scope, { limit, ...filter }: AlertsInput) {
    const rows = await readAlerts(reader, scope.websiteId, filter, { limit });
    return {
      alerts: rows.map((row) => toAlert(scope.websiteId, row)),
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
    first_seen: instant,
    last_seen: instant,
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
  async read(reader, scope, { limit, type, acknowledged, snoozed }: IncidentsInput) {
    const heads = await readAlertHeads(reader, scope.websiteId, {}, { limit: MOST_GROUPED });
    const all = groupIncidents(heads);
    const shown = all
      .filter((each) => type === undefined || each.type === type)
      .filter((each) => acknowledged === undefined || isAcknowledged(each) === acknowledged)
      .slice(0, limit);
    const ids = shown.map((each) => each.alerts[0]!.alertId);
    const latest =
      ids.length === 0 ? [] : await readAlerts(reader, scope.websiteId, { ids }, { limit: ids.length });
    const byId = new Map(latest.map((row) => [row.alertId, toAlert(scope.websiteId, row)]));
    const isNews = ({ acknowledged, createdAt }: GroupedAlert) =>
      !acknowledged && createdAt >= scope.now - UNACKNOWLEDGED_DAYS * DAY_MS;
    return {
      incidents: shown.flatMap((each) => {
        const latestAlert = byId.get(each.alerts[0]!.alertId);
        // Erased in the meantime.
        if (latestAlert === undefined) return [];
        return [{ ...toIncident(each, { now: scope.now, snoozed }), latest_alert: latestAlert }];
      }),
      count: shown.length,
      unacknowledged_count: all.filter((each) => each.alerts.some(isNews)).length,
      unacknowledged_alert_count: await countUnacknowledged(reader, scope),
    };
  },
});

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
    title: incidentTitle(incident),
    first_seen: toInstant(firstSeen),
    last_seen: toInstant(lastSeen),
    duration_seconds: Math.round((lastSeen - firstSeen) / SECOND_MS),
    count: alerts.length,
    alerts: alerts.map(({ alertId }) => alertId),
    status: isActive(incident, moment) ? ('active' as const) : ('cleared' as const),
    acknowledged_all: isAcknowledged(incident),
  };
}
