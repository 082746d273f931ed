import { z } from '@hono/zod-openapi';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { beginsOnHours, plusDays, startOfDay } from '../../zone-days.js';
import { twoDigits } from '../answer/figures.js';
import { readDataSince } from '../sql/data-since.js';
import { analyticsReasons } from './analytics-figures.js';
import { readHumanPages, readLogHours } from './web-analytics-sql.js';

/**
 * Views that web analytics counted against pages that people were served by the logs, over the days that both have. A day is that of the property's
 * time zone in both: requests are counted by the hour (by the quarter of one, where the zone is not whole hours from UTC) and put into its
 * days. The logs have a day that lies behind the start of the website's data and has a request.
 */

const NOTE =
  'Views that the analytics counted against pages that the logs say people were served (GET, 2xx or 304), on the same days. Blockers, refused consent and bots that pass for people make the logs count more; pages that load without a request make the analytics count more, and the percentage is then below 0.';

const whole = (description: string) => z.int().nullable().openapi({ description });

export const measurementGap = z.object({
  available: z.boolean().openapi({ description: 'false: see reason; then all figures are null.' }),
  data_buffering: z.boolean().openapi({ description: 'true: the logs are still being counted.' }),
  reason: z
    .enum([...analyticsReasons, 'no_log_data', 'lookup_failed'])
    .nullable()
    .openapi({
      description: 'Why it is not available; null where it is, and while data_buffering.',
    }),
  ga_pageviews: whole('Views that the analytics counted.'),
  log_human_page_requests: whole('Pages that people were served, by the logs.'),
  unmeasured_pct: z.number().nullable().openapi({
    description:
      'Percent of these that the analytics did not count; below 0 where it counted more. null where the logs have none.',
  }),
  days_compared: whole('Days that both have.'),
  note: z.string().openapi({ description: 'What is compared, for people.' }),
});
export type MeasurementGap = z.input<typeof measurementGap>;

/** @param reason null: the logs are still being counted. */
export function noGap(reason: MeasurementGap['reason']): MeasurementGap {
  return {
    ...{ available: false, data_buffering: reason === null, reason, ga_pageviews: null },
    ...{ log_human_page_requests: null, unmeasured_pct: null, days_compared: null, note: NOTE },
  };
}

/** A day as the analytics tells it. */
export interface ComparedDay {
  readonly day: string;
  readonly timeZone: string;
  readonly pageviews: number;
}

/** By day: pages that people were served; a day that the logs lack is absent. */
export type LogDays = ReadonlyMap<string, number>;

/** @param days at least one, oldest first. @param path of one page; null: of all. @throws as ClickHouseReader.read */
export async function readLogDays(
  reader: ClickHouseReader,
  websiteId: string,
  { days, path }: { readonly days: readonly ComparedDay[]; readonly path: string | null },
): Promise<LogDays> {
  const spans = days.map(({ day, timeZone }) => ({
    day,
    start: startOfDay(day, timeZone),
    end: startOfDay(plusDays(day, 1), timeZone),
  }));
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(...spans.map((span) => span.end));
  const isWholeHours = days.every(({ timeZone }) => beginsOnHours(timeZone, start, end, (start + end) / 2));
  const pieceMs = isWholeHours ? HOUR_MS : 15 * MINUTE_MS;
  const [pages, hours, since] = await Promise.all([
    readHumanPages(reader, { websiteId, start, end, path, pieceMs }),
    readLogHours(reader, { websiteId, start: start - HOUR_MS, end }),
    readDataSince(reader, websiteId),
  ]);
  const found = spans.filter(
    (span) =>
      since !== null &&
      since <= span.start &&
      hours.some((hour) => hour + HOUR_MS > span.start && hour < span.end),
  );
  return new Map(found.map((span) => [span.day, sumWithin(pages, span)]));
}

/** Pieces come in order of time. */
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
