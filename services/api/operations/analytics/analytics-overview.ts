import { z } from '@hono/zod-openapi';
import type { AnalyticsConnection } from '../../../../shared/reads/analytics/analytics-connection.js';
import {
  type AnalyticsAsked,
  type AskedDays,
  activeUsers,
  analyticsDay,
  analyticsReason,
  analyticsWindow,
  avgEngagementSecs,
  currency,
  currencyOf,
  readAskedDays,
  sessionFigures,
  sumDays,
  toAnalyticsWindow,
  toSessionFigures,
  toViewFigures,
} from '../../../../shared/reads/analytics/analytics-figures.js';
import type { AnalyticsDay } from '../../../../shared/reads/analytics/analytics-measures.js';
import { readAnalyticsMarks } from '../../../../shared/reads/analytics/analytics-sync-marks.js';
import {
  compareWithLogs,
  measurementGap,
  noGap,
  readLogDays,
} from '../../../../shared/reads/analytics/measurement-gap.js';
import {
  readAiSessionSources,
  readAnalyticsDays,
  readTopSessionSources,
} from '../../../../shared/reads/analytics/web-analytics-sql.js';
import type { Asked } from '../../../../shared/reads/answer/answer.js';
import { changePct, count, twoDigits } from '../../../../shared/reads/answer/figures.js';
import { moment } from '../../../../shared/reads/answer/instant.js';
import { toMoment } from '../../../../shared/reads/sitemaps/sitemap-membership.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { daysBetween, plusDays } from '../../../../shared/zone-days.js';

/** Sources in the list. There are fewer AI assistants than this. */
const TOP_SOURCES = 25;
const MOST_AI_SOURCES = 200;

const totals = z.object({
  ...sessionFigures,
  active_users: activeUsers,
  avg_engagement_secs: avgEngagementSecs,
  pageviews: count('Page views.'),
});
type Totals = z.input<typeof totals>;

const pct = z.number().nullable().openapi({
  description:
    'Change in percent; null if the previous figure was 0, or if previous days are not all stored yet.',
});
const deltas = z.object({
  ...{ sessions_pct: pct, active_users_pct: pct, engaged_sessions_pct: pct, key_events_pct: pct },
  ...{ revenue_pct: pct, avg_engagement_secs_pct: pct, pageviews_pct: pct },
  engagement_rate_pp: z.number().nullable().openapi({
    description: 'Change in percentage points; null if there were no sessions to compare.',
  }),
});

const span = { from: analyticsDay, to: analyticsDay };

const schema = z.object({
  analytics_connected: z.boolean().openapi({ description: 'Whether web analytics are connected.' }),
  property_id: z
    .string()
    .nullable()
    .openapi({ description: 'Number of the property.', example: '123456789' }),
  property_name: z.string().nullable().openapi({
    description: 'Name of the property at the time of connection; null: unknown.',
  }),
  last_sync_at: moment('Last complete read of the source; null: never.'),
  last_sync_problem: z.string().nullable().openapi({ description: 'Error of the last read; null: none.' }),
  available: z.boolean().openapi({ description: 'false: see reason.' }),
  reason: analyticsReason,
  currency,
  window: analyticsWindow.nullable(),
  totals: totals.nullable().openapi({ description: 'Over the window.' }),
  previous: totals
    .extend({ window: z.object(span) })
    .nullable()
    .openapi({ description: 'Totals of the same number of days before the window.' }),
  deltas: deltas.nullable().openapi({ description: 'Changes from the previous totals.' }),
  series: z
    .array(
      z.object({
        day: analyticsDay,
        sessions: sessionFigures.sessions,
        active_users: count('Active users of the day.'),
        pageviews: totals.shape.pageviews,
        key_events: sessionFigures.key_events,
        log_humans: z.int().nullable().openapi({
          description:
            'Pages served to people on the day, from the logs; null if the logs lack the day, and while data_buffering.',
        }),
      }),
    )
    .openapi({ description: 'Days with data from the source, oldest first.' }),
  sources: z
    .array(z.object({ source: z.string(), medium: z.string(), ...sessionFigures }))
    .openapi({ description: `The ${TOP_SOURCES} sources with most sessions, with their media.` }),
  ai_sources: z
    .array(
      z.object({
        operator: z.string().openapi({ description: 'Operator of the AI assistant.', example: 'OpenAI' }),
        source: z.string(),
        ...sessionFigures,
      }),
    )
    .openapi({ description: 'Sources that name an AI assistant, most sessions first.' }),
  measurement_gap: measurementGap.openapi({ description: 'Comparison of analytics and logs.' }),
});
type Overview = z.input<typeof schema>;

/** The figures from analytics alone, and the days to read from the logs. */
export interface FirstHalf {
  readonly overview: Overview;
  readonly days: readonly AnalyticsDay[];
}

/** Sessions, users and sources by web analytics, compared with the logs (spec §4.5). In two halves: the second reads raw rows. */
export const analyticsOverview = {
  schema,
  async read(reader: ClickHouseReader, { now }: Asked, question: AnalyticsAsked): Promise<FirstHalf> {
    const found = await readAskedDays(reader, question);
    const { connection } = question;
    if (connection === null || found.span === null) return { overview: nothing(connection, found), days: [] };
    const days = daysBetween(found.span.from, found.span.to) + 1;
    const before = { from: plusDays(found.span.from, -days), to: plusDays(found.span.from, -1) };
    const [all, sources, aiSources] = await Promise.all([
      readAnalyticsDays(reader, connection, { from: before.from, to: found.span.to }),
      readTopSessionSources(reader, connection, { ...found.span, limit: TOP_SOURCES }),
      readAiSessionSources(reader, connection, { ...found.span, limit: MOST_AI_SOURCES }),
    ]);
    const current = all.filter(({ day }) => day > before.to);
    if (current.length === 0)
      return { overview: nothing(connection, { ...found, reason: 'no_data_in_window' }), days: [] };
    const ours = toTotals(current);
    const earlier = toTotals(all.filter(({ day }) => day <= before.to));
    const { from } = readAnalyticsMarks(found.sync?.marks);
    const overview: Overview = {
      ...aboutOf(connection, found),
      ...{ available: true, reason: null, currency: currencyOf(current) },
      window: toAnalyticsWindow(found.span, { through: found.sync!.dataThrough!, days: current, now }),
      totals: ours,
      previous: { window: before, ...earlier },
      deltas: toDeltas(ours, earlier, from !== null && from <= before.from),
      series: current.map((one) => ({
        ...{ day: one.day, sessions: one.sessions, active_users: one.activeUsers },
        ...{ pageviews: one.pageviews, key_events: one.keyEvents, log_humans: null },
      })),
      sources: sources.map((one) => ({
        ...{ source: one.source, medium: one.medium },
        ...toSessionFigures(one),
      })),
      ai_sources: aiSources.map((one) => ({
        ...{ operator: one.aiOperator, source: one.source },
        ...toSessionFigures(one),
      })),
      measurement_gap: noGap(null),
    };
    return { overview: overview, days: current };
  },
  /** Adds the figures from the logs to the first half. @throws as ClickHouseReader.read */
  async complete(
    reader: ClickHouseReader,
    { websiteId }: Pick<Asked, 'websiteId'>,
    { overview, days }: FirstHalf,
  ): Promise<Overview> {
    if (days.length === 0) return overview;
    const logs = await readLogDays(reader, websiteId, days);
    return {
      ...overview,
      series: overview.series.map((one) => ({ ...one, log_humans: logs.get(one.day) ?? null })),
      measurement_gap: compareWithLogs(days, logs),
    };
  },
};

function aboutOf(connection: AnalyticsConnection | null, { sync }: AskedDays) {
  return {
    analytics_connected: connection !== null,
    property_id: connection?.property ?? null,
    property_name: connection?.propertyName ?? null,
    last_sync_at: toMoment(sync?.lastSyncAt ?? null),
    last_sync_problem: sync?.problem ?? null,
  };
}

function nothing(connection: AnalyticsConnection | null, found: AskedDays): Overview {
  return {
    ...aboutOf(connection, found),
    ...{ available: false, reason: found.reason, currency: null, window: null, totals: null },
    ...{ previous: null, deltas: null, series: [], sources: [], ai_sources: [] },
    measurement_gap: noGap(found.reason),
  };
}

function toTotals(days: readonly AnalyticsDay[]): Totals {
  const sum = sumDays(days);
  return { ...toSessionFigures(sum), ...toViewFigures(sum) };
}

/** @param isWhole whether all previous days are stored; otherwise there are no deltas. */
function toDeltas(current: Totals, earlier: Totals, isWhole: boolean): z.input<typeof deltas> {
  const change = (name: keyof Totals) => (isWhole ? changePct(current[name], earlier[name]) : null);
  return {
    sessions_pct: change('sessions'),
    active_users_pct: change('active_users'),
    engaged_sessions_pct: change('engaged_sessions'),
    key_events_pct: change('key_events'),
    revenue_pct: change('revenue'),
    avg_engagement_secs_pct: change('avg_engagement_secs'),
    pageviews_pct: change('pageviews'),
    engagement_rate_pp:
      isWhole && earlier.sessions > 0
        ? twoDigits(100 * (current.engagement_rate - earlier.engagement_rate))
        : null,
  };
}
