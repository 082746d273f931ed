import { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { slashTwin } from '../../urls/path-of-address.js';
import { type ComparedDay, type LogDays, readPagesByDay, spanOf } from '../analytics/measurement-gap.js';
import { countryName } from '../answer/country-name.js';
import { referrerClass } from '../answer/enumeration.js';
import {
  averageTimeMs,
  avgTimeMs,
  count,
  humanRequests,
  loggedPath,
  percentOf,
  requestCount,
  statusClassCounts,
  statusClasses,
  toStatusClassCounts,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { toStatusCategory } from '../answer/status-category.js';
import { everyBucket, isPartial } from '../answer/time-buckets.js';
import type { Scope, Window } from '../sql/scope.js';
import { compareBytes } from '../sql/text-order.js';
import { readPathCombinations } from './url-combinations.js';
import { type LogRow, type PathLogs, type PathQuestion, p95Of, readPathLogs } from './url-logs-sql.js';

/** The requests of one URL: a section of its report. */

/** Entries of a list of names. */
const TOP = 10;
/** The longest window with an hourly series. */
const MOST_HOURLY_MS = 8 * DAY_MS;

const volume = {
  requests: requestCount,
  humans: humanRequests,
  bots: count('All other requests.'),
  verified_search: count('Requests of verified search crawlers.'),
};

const share = {
  requests: requestCount,
  share_pct: z.number().openapi({ description: "Percentage of the URL's requests." }),
};

export const urlLogs = z.object({
  ...volume,
  status_mix: z.object(statusClassCounts),
  status_codes: z
    .array(z.object({ status: z.int(), ...share }))
    .openapi({ description: 'Every status, most requests first.' }),
  avg_time_ms: avgTimeMs,
  p95_time_ms: z.number().nullable().openapi({
    description:
      'Time within which 95 % of the timed requests were answered, in milliseconds, with an error of at most 0.4 %; null without timed requests.',
  }),
  granularity: z.enum(['hour', 'day']).openapi({
    description: 'Bucket of the series: hours in a window of up to eight days, else UTC days.',
  }),
  series: z.array(
    z.object({
      time: instant.openapi({ description: 'Start of the hour or UTC day.' }),
      partial: z.boolean().openapi({
        description:
          'true: it extends beyond the window or has not ended; only requests inside the window are counted. In a rolling window: usually the first and the last one.',
      }),
      ...volume,
      status_2xx: count('Requests answered 2xx.'),
      status_3xx: count('Requests answered 3xx.'),
      status_4xx: count('Requests answered 4xx.'),
      status_5xx: count('Requests answered 5xx.'),
    }),
  ),
  top_bots: z
    .array(z.object({ bot_name: z.string(), ...share }))
    .openapi({ description: 'Excludes requests of proven impostors.' }),
  top_referrers: z
    .array(
      z.object({
        referrer_domain: z.string(),
        referrer_class: referrerClass,
        ai_operator: z
          .string()
          .openapi({ description: 'AI assistant that sent the visitors; empty for others.' }),
        ...share,
      }),
    )
    .openapi({ description: 'Excludes requests without a referrer.' }),
  top_countries: z.array(
    z.object({
      country: z.string().openapi({ description: 'ISO 3166-1 alpha-2; empty if unknown.', example: 'DE' }),
      country_name: z.string(),
      ...share,
    }),
  ),
  variant: z
    .object({
      path: loggedPath,
      requests: requestCount,
      humans: volume.humans,
      verified_search: volume.verified_search,
    })
    .nullable()
    .openapi({
      description:
        'The same path with the other form of the final slash: another URL to crawlers. If both are fetched, one should redirect to the other. null for the root.',
    }),
});

export interface UrlRequests {
  readonly logs: z.input<typeof urlLogs>;
  /** Pages served to people by day. */
  readonly pages: LogDays;
}

/** @param days their pages are also counted, without the filters. */
export async function readUrlRequests(
  reader: ClickHouseReader,
  scope: Scope,
  path: string,
  days: readonly ComparedDay[],
): Promise<UrlRequests> {
  const twin = slashTwin(path);
  const { websiteId, window } = scope;
  const bucket = window.end - window.start > MOST_HOURLY_MS ? 'day' : 'hour';
  const question = { path, twin, bucket } as const;
  const found = await readPathCombinations(reader, scope, question, days.map(spanOf));
  if (found !== null) {
    const pages = new Map(days.map(({ day }, index) => [day, found.pages[index]!]));
    return { logs: toUrlLogs(found.logs, window, question), pages };
  }
  const [logs, pages] = await Promise.all([
    readPathLogs(reader, scope, question),
    days.length === 0 ? new Map<string, number>() : readPagesByDay(reader, websiteId, { days, path }),
  ]);
  return { logs: toUrlLogs(logs, window, question), pages };
}

function toUrlLogs(logs: PathLogs, window: Window, { twin, bucket }: PathQuestion): z.input<typeof urlLogs> {
  const requests = logs.total?.requests ?? 0;
  const shared = (row: { requests: number }) => ({
    requests: row.requests,
    share_pct: percentOf(row.requests, requests),
  });
  return {
    ...toVolume(logs.total),
    status_mix: toStatusMix(logs.statuses, requests),
    status_codes: logs.statuses.map((row) => ({ status: row.status, ...shared(row) })),
    avg_time_ms: logs.total === null ? null : averageTimeMs(logs.total),
    p95_time_ms: logs.total === null ? null : p95Of(logs.total),
    granularity: bucket,
    series: toSeries(logs, window, bucket),
    top_bots: genuine(logs.bots)
      .slice(0, TOP)
      .map((row) => ({ bot_name: row.bot_name, ...shared(row) })),
    top_referrers: logs.referrers
      .filter(({ referrer_class }) => referrer_class !== 'direct')
      .slice(0, TOP)
      .map(({ referrer_domain, referrer_class, ai_operator, ...row }) => ({
        referrer_domain,
        referrer_class,
        ai_operator,
        ...shared(row),
      })),
    top_countries: logs.countries
      .slice(0, TOP)
      .map((row) => ({ country: row.country, country_name: countryName(row.country), ...shared(row) })),
    variant: twin === null ? null : toVariant(twin, logs.twin),
  };
}

function toVolume(row: LogRow | null | undefined) {
  const { requests, human_requests, verified_search_requests } = row ?? noRequest;
  return {
    requests,
    humans: human_requests,
    bots: requests - human_requests,
    verified_search: verified_search_requests,
  };
}

const noRequest = { requests: 0, human_requests: 0, verified_search_requests: 0 };

function toVariant(path: string, row: LogRow | null) {
  const { requests, humans, verified_search } = toVolume(row);
  return { path, requests, humans, verified_search };
}

function toStatusMix(statuses: readonly LogRow[], requests: number) {
  const of = (name: string) =>
    statuses
      .filter(({ status }) => `status_${toStatusCategory(status)}` === name)
      .reduce((sum, row) => sum + row.requests, 0);
  const classes = Object.fromEntries(statusClasses.map((name) => [name, of(name)]));
  return toStatusClassCounts({
    ...(classes as Record<(typeof statusClasses)[number], number>),
    requests,
  });
}

function toSeries({ series }: PathLogs, window: Window, bucket: 'hour' | 'day') {
  return everyBucket(window, bucket, series, (time, row) => ({
    time: toInstant(time),
    partial: isPartial(window, bucket, time),
    ...toVolume(row),
    status_2xx: row?.status_2xx ?? 0,
    status_3xx: row?.status_3xx ?? 0,
    status_4xx: row?.status_4xx ?? 0,
    status_5xx: row?.status_5xx ?? 0,
  }));
}

/** Names by their requests, except those of impostors. */
function genuine(rows: readonly LogRow[]): { bot_name: string; requests: number }[] {
  return rows
    .map(({ bot_name, unspoofed_requests }) => ({ bot_name, requests: unspoofed_requests }))
    .filter(({ requests }) => requests > 0)
    .sort((a, b) => b.requests - a.requests || compareBytes(a.bot_name, b.bot_name));
}
