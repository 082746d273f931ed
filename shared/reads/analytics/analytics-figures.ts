import { z } from '@hono/zod-openapi';
import { readSourceSync, type SourceSync } from '../../connections/source-syncs.js';
import type { ClickHouseReader } from '../../store/client.js';
import { dayInZone, daysBetween, plusDays } from '../../zone-days.js';
import { count, sumsOf, twoDigits } from '../answer/figures.js';
import type { AnalyticsConnection } from './analytics-connection.js';
import type { AnalyticsDay, AnalyticsPage, SessionFigures, ViewFigures } from './analytics-measures.js';

/** How figures of web analytics look in every answer, and over which days they are asked for. */

export const analyticsDay = z.iso.date().openapi({ example: '2026-11-18' });

/** In the order in which they are looked at. */
export const analyticsReasons = ['analytics_not_connected', 'not_synced_yet', 'no_data_in_window'] as const;
export type AnalyticsReason = (typeof analyticsReasons)[number];

export const analyticsReason = z
  .enum(analyticsReasons)
  .nullable()
  .openapi({ description: 'Why nothing is available; null where it is.' });

export const currency = z
  .string()
  .nullable()
  .openapi({ description: "ISO 4217 code of revenue: the property's currency.", example: 'EUR' });

export const sessionFigures = {
  sessions: count('Sessions.'),
  engaged_sessions: count('Those of ten seconds, a key event or two views at least.'),
  engagement_rate: z
    .number()
    .openapi({ description: 'Engaged sessions per session, 0 to 1; 0 without any.' }),
  key_events: count('Events that the owner marked as success.'),
  revenue: z.number().openapi({ description: 'What came in, less what was paid back; see currency.' }),
};

export const activeUsers = count(
  'Active users of each day, added up: who came on two days counts twice, as the property tells them by the day.',
);

export const avgEngagementSecs = z.number().openapi({
  description: 'Mean seconds of attention of an active user on a day; 0 without any.',
});

/** Of a page: who began there, and who saw it. */
export const pageFigures = {
  sessions: count('Sessions that began on the page.'),
  engaged_sessions: count('Those of ten seconds, a key event or two views at least.'),
  engagement_rate: sessionFigures.engagement_rate,
  key_events: count('Key events of these sessions.'),
  revenue: z.number().openapi({ description: 'Revenue of these sessions.' }),
  pageviews: count('Views of the page, in whatever session.'),
  active_users: count('Active users who saw it, each day anew.'),
  avg_engagement_secs: z.number().openapi({
    description: 'Mean seconds that the page had the attention of one of them on a day; 0 without any.',
  }),
  ai_sessions: count('Sessions that began on the page whose source names an AI assistant.'),
  search_sessions: count(
    'Sessions that began on the page and came from results of a search engine, advertisements aside.',
  ),
};

export const analyticsWindow = z.object({
  from: analyticsDay,
  to: analyticsDay.openapi({ description: 'The last day, which is in it.' }),
  days: count('Days, both ends included.'),
  lag_days: count('Days from the last finished day to today, in the time zone of the property.'),
});

/** Days that end with the last finished day, or days by date. */
export type WantedDays = { readonly days: number } | { readonly from: string; readonly to: string };

export interface AnalyticsAsked {
  /** null: the website has none. */
  readonly connection: AnalyticsConnection | null;
  readonly wanted: WantedDays;
}

/** Which days a question comes to. */
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

/** @param days of the span, at least one. @param now milliseconds since the epoch. */
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

/** The newest day's: figures are told in the currency that the property has now. */
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

const summed = [
  'sessions',
  'engagedSessions',
  'keyEvents',
  'revenue',
  'pageviews',
  'activeUsers',
  'engagementSecs',
] as const;

export function sumDays(days: readonly (SessionFigures & ViewFigures)[]): SessionFigures & ViewFigures {
  return sumsOf(summed, days);
}
