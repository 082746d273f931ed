import { z } from '@hono/zod-openapi';
import { readSourceSync, type SourceSync } from '../../connections/source-syncs.js';
import type { ClickHouseReader } from '../../store/client.js';
import { dayInZone, daysBetween, plusDays } from '../../zone-days.js';
import { count, sumsOf, twoDigits } from '../answer/figures.js';
import type { AnalyticsConnection } from './analytics-connection.js';
import type { AnalyticsDay, AnalyticsPage, SessionFigures, ViewFigures } from './analytics-measures.js';

/** Fields of web analytics in every answer, and their days. */

export const analyticsDay = z.iso.date().openapi({ example: '2026-11-18' });

/** In the order of the checks. */
export const analyticsReasons = ['analytics_not_connected', 'not_synced_yet', 'no_data_in_window'] as const;
export type AnalyticsReason = (typeof analyticsReasons)[number];

export const analyticsReason = z
  .enum(analyticsReasons)
  .nullable()
  .openapi({ description: 'Why no figures are available; null if they are.' });

export const currency = z
  .string()
  .nullable()
  .openapi({ description: "ISO 4217 code of revenue: the property's currency.", example: 'EUR' });

export const sessionFigures = {
  sessions: count('Sessions.'),
  engaged_sessions: count('Sessions of at least ten seconds, with a key event or with at least two views.'),
  engagement_rate: z
    .number()
    .openapi({ description: 'Engaged sessions per session, 0 to 1; 0 without sessions.' }),
  key_events: count('Events that the owner marked as success.'),
  revenue: z.number().openapi({ description: 'Income less refunds; see currency.' }),
};

export const activeUsers = count(
  'Sum of the active users of each day. A user who came on two days counts twice, because the property reports users by day.',
);

export const avgEngagementSecs = z.number().openapi({
  description: 'Mean engagement of an active user per day, in seconds; 0 without users.',
});

/** Figures of the sessions that began on a page, and of the page's views. */
export const pageFigures = {
  sessions: count('Sessions that began on the page.'),
  engaged_sessions: count('Sessions of at least ten seconds, with a key event or with at least two views.'),
  engagement_rate: sessionFigures.engagement_rate,
  key_events: count('Key events of these sessions.'),
  revenue: z.number().openapi({ description: 'Revenue of these sessions.' }),
  pageviews: count('Views of the page, in any session.'),
  active_users: count('Active users who saw it, counted on each day.'),
  avg_engagement_secs: z.number().openapi({
    description: 'Mean engagement of an active user with the page per day, in seconds; 0 without users.',
  }),
  ai_sessions: count('Sessions that began on the page whose source names an AI assistant.'),
  search_sessions: count(
    'Sessions that began on the page and came from search results, excluding advertisements.',
  ),
};

export const analyticsWindow = z.object({
  from: analyticsDay,
  to: analyticsDay.openapi({ description: 'The last day, included.' }),
  days: count('Number of days, including both ends.'),
  lag_days: count('Days from the last complete day to today, in the time zone of the property.'),
});

/** A number of days that end with the last complete day, or days by date. */
export type WantedDays = { readonly days: number } | { readonly from: string; readonly to: string };

export interface AnalyticsAsked {
  /** null: the website has no analytics connection. */
  readonly connection: AnalyticsConnection | null;
  readonly wanted: WantedDays;
}

/** The days that a question covers. */
export interface AskedDays {
  readonly sync: SourceSync | null;
  /** null: see reason. */
  readonly span: { readonly from: string; readonly to: string } | null;
  readonly reason: AnalyticsReason | null;
}

export async function readAskedDays(
  reader: ClickHouseReader,
  { connection, wanted }: AnalyticsAsked,
): Promise<AskedDays> {
  if (connection === null) return { sync: null, span: null, reason: 'analytics_not_connected' };
  const sync = await readSourceSync(reader, connection);
  const through = sync?.dataThrough ?? null;
  if (through === null) return { sync, span: null, reason: 'not_synced_yet' };
  const span =
    'days' in wanted
      ? { from: plusDays(through, 1 - wanted.days), to: through }
      : { from: wanted.from, to: [wanted.to, through].sort()[0]! };
  return span.from > span.to
    ? { sync, span: null, reason: 'no_data_in_window' }
    : { sync, span, reason: null };
}

/** @param days stored days of the span, at least one. @param now milliseconds since the epoch. */
export function toAnalyticsWindow(
  span: { readonly from: string; readonly to: string },
  { through, days, now }: { through: string; days: readonly AnalyticsDay[]; now: number },
): z.input<typeof analyticsWindow> {
  const today = dayInZone(now, days.at(-1)!.timeZone);
  return {
    from: span.from,
    to: span.to,
    days: daysBetween(span.from, span.to) + 1,
    lag_days: daysBetween(through, today),
  };
}

/** The currency of the newest day: it applies to all figures. */
export function currencyOf(days: readonly AnalyticsDay[]): string | null {
  return days.at(-1)?.currency || null;
}

export function toSessionFigures({ sessions, engagedSessions, keyEvents, revenue }: SessionFigures) {
  return {
    sessions,
    engaged_sessions: engagedSessions,
    engagement_rate: sessions === 0 ? 0 : Math.round((10_000 * engagedSessions) / sessions) / 10_000,
    key_events: keyEvents,
    revenue: twoDigits(revenue),
  };
}

export function toViewFigures({ pageviews, activeUsers: users, engagementSecs }: ViewFigures) {
  return {
    pageviews,
    active_users: users,
    avg_engagement_secs: users === 0 ? 0 : twoDigits(engagementSecs / users),
  };
}

export function toPageFigures(page: Omit<AnalyticsPage, 'path'>) {
  return {
    ...toSessionFigures(page),
    ...toViewFigures(page),
    ai_sessions: page.aiSessions,
    search_sessions: page.searchSessions,
  };
}

/** Measures of days that add up. */
export const dayMeasures = [
  'sessions',
  'engagedSessions',
  'keyEvents',
  'revenue',
  'pageviews',
  'activeUsers',
  'engagementSecs',
] as const;

export function sumDays(days: readonly (SessionFigures & ViewFigures)[]): SessionFigures & ViewFigures {
  return sumsOf(dayMeasures, days);
}
