import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { middleOfBFloat16 } from '../sql/bfloat16.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { inStatusClass } from '../sql/metrics.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { requestClaim, resolvedVerification } from '../sql/verification.js';

/**
 * The requests of one path, grouped for all parts of its report, in one pass over the raw rows: no rollup has a path's countries, referrers
 * and quantiles. For other paths, only the path column is read. Finding the hours of the path first (paths_per_hour) took the engine up to
 * twice the CPU. The statement here is for paths with too many combinations of properties (url-combinations.ts).
 */

const figures = {
  requests: z.number(),
  human_requests: z.number(),
  /** Requests of verified search crawlers, including late verdicts. */
  verified_search_requests: z.number(),
  /** Excludes requests of impostors. */
  unspoofed_requests: z.number(),
};

const logRow = z.object({
  list: z.enum(['total', 'time', 'status', 'bot', 'referrer', 'country']),
  /** Whether the row is of the path itself or of its twin. */
  own: z.number(),
  time: z.number(),
  status: z.number(),
  bot_name: z.string(),
  referrer_domain: z.string(),
  referrer_class: z.string(),
  ai_operator: z.string(),
  country: z.string(),
  ...figures,
  timed_requests: z.number(),
  time_taken_ms: z.number(),
  status_2xx: z.number(),
  status_3xx: z.number(),
  status_4xx: z.number(),
  status_5xx: z.number(),
  p95: z.number().nullable(),
});
export type LogRow = z.infer<typeof logRow>;

export interface PathLogs {
  /** null: no request. */
  readonly total: LogRow | null;
  /** Requests of the twin; null: none. */
  readonly twin: LogRow | null;
  /** By bucket, in order; `time` is its start in milliseconds since the epoch. */
  readonly series: readonly LogRow[];
  /** Most requests first, then by name, at most MOST_ROWS in each list. */
  readonly statuses: readonly LogRow[];
  readonly bots: readonly LogRow[];
  readonly referrers: readonly LogRow[];
  readonly countries: readonly LogRow[];
}

/** Above the number of statuses, days in a year, and hours in a week; more names than any list shows. */
export const MOST_ROWS = 1_000;

const lists = {
  total: ['own'],
  time: ['own', 'time'],
  status: ['own', 'status'],
  bot: ['own', 'bot_name'],
  referrer: ['own', 'referrer_domain', 'referrer_class', 'ai_operator'],
  country: ['own', 'country'],
} as const;

export interface PathQuestion {
  readonly path: string;
  /** The same path with or without the final slash; null: none. */
  readonly twin: string | null;
  readonly bucket: 'hour' | 'day';
}

export async function readPathLogs(
  reader: ClickHouseReader,
  scope: Scope,
  { path, twin, bucket }: PathQuestion,
): Promise<PathLogs> {
  const known = await withLateVerdicts(reader, scope);
  const rows = scopeClause(known);
  const verification = resolvedVerification(requestClaim, known);
  const sets = Object.values(lists).map((keys) => `(${keys.map((key) => `s.${key}`).join(', ')})`);
  const found = await reader.read({
    name: 'url.logs',
    sql: `SELECT multiIf(grouping(s.time) = 0, 'time', grouping(s.status) = 0, 'status', grouping(s.bot_name) = 0, 'bot',
    grouping(s.referrer_class) = 0, 'referrer', grouping(s.country) = 0, 'country', 'total') AS list,
  s.own AS own, toUnixTimestamp(s.time) * 1000 AS time, s.status AS status, s.bot_name AS bot_name, s.referrer_domain AS referrer_domain,
  s.referrer_class AS referrer_class, s.ai_operator AS ai_operator, s.country AS country,
  count() AS requests,
  countIf(s.traffic_class = 'human') AS human_requests,
  countIf(s.traffic_class = 'search_bot' AND s.verification = 'verified') AS verified_search_requests,
  countIf(s.verification != 'spoofed') AS unspoofed_requests,
  count(s.time_taken_ms) AS timed_requests,
  sum(ifNull(s.time_taken_ms, 0)) AS time_taken_ms,
${([2, 3, 4, 5] as const).map((first) => `  countIf(${inStatusClass('s.status', first)}) AS status_${first}xx,`).join('\n')}
  quantileBFloat16(0.95)(s.time_taken_ms) AS p95
FROM (
  SELECT r.path = {url_path: String} AS own, ${bucketStart[bucket]} AS time, r.status AS status, r.bot_name AS bot_name,
    r.referrer_domain AS referrer_domain, r.referrer_class AS referrer_class, r.ai_operator AS ai_operator, r.country AS country,
    r.traffic_class AS traffic_class, r.time_taken_ms AS time_taken_ms, ${verification.sql} AS verification
  FROM requests AS r
  WHERE ${rows.sql} AND r.path IN {url_paths: Array(String)}
) AS s
GROUP BY GROUPING SETS (${sets.join(', ')})
HAVING own OR list = 'total'
ORDER BY list, if(list = 'time', s.time, toDateTime(0, 'UTC')), requests DESC, s.status, s.bot_name, s.referrer_domain, s.referrer_class, s.ai_operator, s.country
LIMIT ${MOST_ROWS} BY list`,
    params: {
      ...rows.params,
      ...verification.params,
      url_path: path,
      url_paths: twin === null ? [path] : [path, twin],
    },
    row: logRow,
  });
  return pathLogsOf(found);
}

/** @param found the rows of all lists; each list is in order. */
export function pathLogsOf(found: readonly LogRow[]): PathLogs {
  const list = (name: LogRow['list']) => found.filter((row) => row.list === name);
  const totals = list('total');
  return {
    total: totals.find(({ own }) => own === 1) ?? null,
    twin: totals.find(({ own }) => own === 0) ?? null,
    series: list('time'),
    statuses: list('status'),
    bots: list('bot').filter(({ bot_name }) => bot_name !== ''),
    referrers: list('referrer'),
    countries: list('country'),
  };
}

/** SQL over `requests AS r` of the start of a request's bucket. */
export const bucketStart = {
  hour: "toStartOfHour(r.timestamp, 'UTC')",
  day: "toStartOfDay(r.timestamp, 'UTC')",
} as const;

/** Time within which 95 % of a row's timed requests were answered, in milliseconds; null without timed requests. */
export function p95Of({ p95 }: Pick<LogRow, 'p95'>): number | null {
  return p95 === null ? null : middleOfBFloat16(p95);
}
