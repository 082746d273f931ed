import { z } from '@hono/zod-openapi';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { beginsOnHours, plusDays, startOfDay } from '../../zone-days.js';
import { twoDigits } from '../answer/figures.js';
import { readLogStart } from '../sql/data-since.js';
import { analyticsReasons } from './analytics-figures.js';
import { readHumanPages, readLogHours } from './web-analytics-sql.js';

/**
 * Compares views counted by web analytics with pages served to people by the logs, on days that both have. Both use days in the property's
 * time zone. Requests are counted by the hour and assigned to these days; by the quarter hour if the zone's offset is not whole hours. The
 * logs have a day that starts after the website's first data and has a request.
 */

const NOTE =
  'Views counted by the analytics, compared with pages that the logs show as served to people (GET, 2xx or 304) on the same days. Blockers, refused consent and bots that imitate people make the logs count more. Pages that load without a request make the analytics count more; the percentage is then below 0.';

const whole = (description: string) => z.int().nullable().openapi({ description });

export const measurementGap = z.object({
  available: z.boolean().openapi({ description: 'false: see reason; then all figures are null.' }),
  data_buffering: z.boolean().openapi({ description: 'true: the logs are still being counted.' }),
  reason: z
    .enum([...analyticsReasons, 'no_log_data', 'lookup_failed'])
    .nullable()
    .openapi({
      description: 'Why it is not available; null if it is, and while data_buffering.',
    }),
  ga_pageviews: whole('Views that the analytics counted.'),
  log_human_page_requests: whole('Pages served to people, by the logs.'),
  unmeasured_pct: z.number().nullable().openapi({
    description:
      'Percentage of log_human_page_requests that the analytics did not count; below 0 if it counted more. null if the logs have no requests.',
  }),
  days_compared: whole('Days that both have.'),
  note: z.string().openapi({ description: 'The comparison, in words.' }),
});
export type MeasurementGap = z.input<typeof measurementGap>;

/** @param reason null: the logs are still being counted. */
export function noGap(reason: MeasurementGap['reason']): MeasurementGap {
  return {
    ...{ available: false, data_buffering: reason === null, reason, ga_pageviews: null },
    ...{ log_human_page_requests: null, unmeasured_pct: null, days_compared: null, note: NOTE },
  };
}

/** A day as reported by the analytics. */
export interface ComparedDay {
  readonly day: string;
  readonly timeZone: string;
  readonly pageviews: number;
}

/** Pages served to people, by day; days that the logs do not have are absent. */
export type LogDays = ReadonlyMap<string, number>;

/** A day in its time zone, in milliseconds since the epoch: start <= t < end. */
export interface DaySpan {
  readonly day: string;
  readonly start: number;
  readonly end: number;
}

export function spanOf({ day, timeZone }: ComparedDay): DaySpan {
  return { day, start: startOfDay(day, timeZone), end: startOfDay(plusDays(day, 1), timeZone) };
}

/** Counts all pages. @param days at least one, oldest first. @throws as ClickHouseReader.read, like all functions here */
export async function readLogDays(
  reader: ClickHouseReader,
  websiteId: string,
  days: readonly ComparedDay[],
): Promise<LogDays> {
  return onLoggedDays(reader, websiteId, days, readPagesByDay(reader, websiteId, { days, path: null }));
}

/** Only the days that the logs have. @param days at least one. @param pages of all these days */
export async function onLoggedDays(
  reader: ClickHouseReader,
  websiteId: string,
  days: readonly ComparedDay[],
  pages: Promise<LogDays>,
): Promise<LogDays> {
  const spans = days.map(spanOf);
  const { start, end } = enclosing(spans);
  const [pagesOf, hours, logs] = await Promise.all([
    pages,
    readLogHours(reader, { websiteId, start: start - HOUR_MS, end }),
    readLogStart(reader, websiteId),
  ]);
  const found = spans.filter(
    (span) =>
      logs !== null &&
      logs.since <= span.start &&
      hours.some((hour) => hour + HOUR_MS > span.start && hour < span.end),
  );
  return new Map(found.map(({ day }) => [day, pagesOf.get(day) ?? 0]));
}

/** @param days at least one. @param path one page; null: all pages. */
export async function readPagesByDay(
  reader: ClickHouseReader,
  websiteId: string,
  { days, path }: { readonly days: readonly ComparedDay[]; readonly path: string | null },
): Promise<LogDays> {
  const spans = days.map(spanOf);
  const { start, end } = enclosing(spans);
  const isWholeHours = days.every(({ timeZone }) => beginsOnHours(timeZone, start, end, (start + end) / 2));
  const pieceMs = isWholeHours ? HOUR_MS : 15 * MINUTE_MS;
  const pages = await readHumanPages(reader, { websiteId, start, end, path, pieceMs });
  return new Map(spans.map((span) => [span.day, sumWithin(pages, span)]));
}

function enclosing(spans: readonly DaySpan[]) {
  return {
    start: Math.min(...spans.map((span) => span.start)),
    end: Math.max(...spans.map((span) => span.end)),
  };
}

/** @param pieces in order of time. */
function sumWithin(
  pieces: readonly { readonly at: number; readonly pages: number }[],
  { start, end }: { readonly start: number; readonly end: number },
): number {
  let sum = 0;
  for (let index = firstFrom(pieces, start); index < pieces.length && pieces[index]!.at < end; index++)
    sum += pieces[index]!.pages;
  return sum;
}

function firstFrom(pieces: readonly { readonly at: number }[], start: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.at < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function compareWithLogs(days: readonly ComparedDay[], logs: LogDays): MeasurementGap {
  const both = days.filter(({ day }) => logs.has(day));
  if (both.length === 0) return noGap('no_log_data');
  const views = both.reduce((sum, { pageviews }) => sum + pageviews, 0);
  const requests = both.reduce((sum, { day }) => sum + logs.get(day)!, 0);
  return {
    ...{ available: true, data_buffering: false, reason: null, ga_pageviews: views },
    log_human_page_requests: requests,
    unmeasured_pct: requests === 0 ? null : twoDigits((100 * (requests - views)) / requests),
    ...{ days_compared: both.length, note: NOTE },
  };
}
