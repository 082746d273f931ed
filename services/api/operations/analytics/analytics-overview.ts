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

/** Sources of the list, and more assistants than there are. */
const TOP_SOURCES = 25;
const MOST_AI_SOURCES = 200;

const totals = z.object({
  ...sessionFigures,
  active_users: activeUsers,
  avg_engagement_secs: avgEngagementSecs,
  pageviews: count('Views of pages.'),
});
type Totals = z.input<typeof totals>;

const pct = z.number().nullable().openapi({
  description:
    'Change in percent; null where the previous figure was 0, and where not all of the days before are stored yet.',
});
const deltas = z.object({
  ...{ sessions_pct: pct, active_users_pct: pct, engaged_sessions_pct: pct, key_events_pct: pct },
  ...{ revenue_pct: pct, avg_engagement_secs_pct: pct, pageviews_pct: pct },
  engagement_rate_pp: z.number().nullable().openapi({
    description: 'Change in percentage points; null where there were no sessions to compare with.',
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
    description: 'What the property was called when it was connected; null: nobody said.',
  }),
  last_sync_at: moment('When the source was last read to its end; null: never.'),
  last_sync_problem: z
    .string()
    .nullable()
    .openapi({ description: 'What kept the last reading from its end; null: nothing.' }),
  available: z.boolean().openapi({ description: 'false: see reason.' }),
  reason: analyticsReason,
  currency,
  window: analyticsWindow.nullable(),
  totals: totals.nullable().openapi({ description: 'Over the window.' }),
  previous: totals
    .extend({ window: z.object(span) })
    .nullable()
    .openapi({ description: 'The same of as many days just before.' }),
  deltas: deltas.nullable().openapi({ description: 'Of the totals against the previous.' }),
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
            'Pages that people were served on the day, by the logs; null where the logs lack the day, and while data_buffering.',
        }),
      }),
    )
    .openapi({ description: 'Days that the source tells, oldest first.' }),
  sources: z
    .array(z.object({ source: z.string(), medium: z.string(), ...sessionFigures }))
    .openapi({ description: `The ${TOP_SOURCES} sources, with their media, of most sessions.` }),
  ai_sources: z
    .array(
      z.object({
        operator: z.string().openapi({ description: 'Operator of the AI assistant.', example: 'OpenAI' }),
        source: z.string(),
        ...sessionFigures,
      }),
    )
    .openapi({ description: 'Sources that name an AI assistant, most sessions first.' }),
  measurement_gap: measurementGap.openapi({ description: 'Analytics against logs.' }),
});
type Overview = z.input<typeof schema>;

/** What the analytics alone tells, and the days that the logs are asked for. */
export interface FirstHalf {
  readonly told: Overview;
  readonly days: readonly AnalyticsDay[];
}

/** Sessions, users and sources by web analytics, held against the logs (spec §4.5): in two halves, as the second reads raw rows. */
export const analyticsOverview = {
  schema,
  async read(reader: ClickHouseReader, { now }: Asked, asked: AnalyticsAsked): Promise<FirstHalf> {
    const found = await readAskedDays(reader, asked);
    const { connection } = asked;
    if (connection === null || found.span === null) return { told: nothing(connection, found), days: [] };
    const days = daysBetween(found.span.from, found.span.to) + 1;
    const before = { from: plusDays(found.span.from, -days), to: plusDays(found.span.from, -1) };
    const [all, sources, aiSources] = await Promise.all([
      readAnalyticsDays(reader, connection, { from: before.from, to: found.span.to }),
      readTopSessionSources(reader, connection, { ...found.span, limit: TOP_SOURCES }),
      readAiSessionSources(reader, connection, { ...found.span, limit: MOST_AI_SOURCES }),
    ]);
    const current = all.filter(({ day }) => day > before.to);
    if (current.length === 0)
      return { told: nothing(connection, { ...found, reason: 'no_data_in_window' }), days: [] };
    const ours = toTotals(current);
    const earlier = toTotals(all.filter(({ day }) => day <= before.to));
    const { from } = readAnalyticsMarks(found.sync?.marks);
    const told: Overview = {
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
    return { told, days: current };
  },
  /** What the logs say to the first half. @throws as ClickHouseReader.read */
  async complete(
    reader: ClickHouseReader,
    { websiteId }: Pick<Asked, 'websiteId'>,
    { told, days }: FirstHalf,
  ): Promise<Overview> {
    if (days.length === 0) return told;
    const logs = await readLogDays(reader, websiteId, { days, path: null });
    return {
      ...told,
      series: told.series.map((one) => ({ ...one, log_humans: logs.get(one.day) ?? null })),
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

/** @param isWhole whether all of the days before are stored: else they are compared with nothing. */
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
