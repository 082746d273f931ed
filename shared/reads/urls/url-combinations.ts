import { z } from 'zod';
import { SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { isTooLargeToRead } from '../../store/store-errors.js';
import type { DaySpan } from '../analytics/measurement-gap.js';
import { isHumanPage } from '../analytics/web-analytics-sql.js';
import type { Clause } from '../sql/clause.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { compareBytes } from '../sql/text-order.js';
import { requestClaim, resolvedVerification } from '../sql/verification.js';
import {
  bucketStart,
  type LogRow,
  MOST_ROWS,
  type PathLogs,
  type PathQuestion,
  pathLogsOf,
} from './url-logs-sql.js';

/**
 * The requests of one path by all properties together. This process folds the parts of its report from them: for the engine, six lists with
 * their order cost more than some thousand combinations. The same scan counts the pages that web analytics are compared with.
 */

export interface PathCombinations {
  readonly logs: PathLogs;
  /** Pages served to people in each span, without the filters. */
  readonly pages: readonly number[];
}

/** The answer of some 20,000 combinations, in the engine's memory: folding more takes this process tens of milliseconds. */
const MOST_BYTES = 4 * 1024 ** 2;

const KEYS = [
  ...['own', 'counted', 'page_day', 'time', 'status', 'bot_name', 'referrer_domain', 'referrer_class'],
  ...['ai_operator', 'country', 'traffic_class', 'verification'],
];
const SUMS = ['requests', 'timed_requests', 'time_taken_ms'];

const numbers = z.array(z.number());
const texts = z.array(z.string());
const columns = z.object({
  /** 1: the path; 0: its twin. */
  own: numbers,
  /** 1: in the scope. */
  counted: numbers,
  /** Seconds of the last edge of a span before the request; 0: not a page of any span. */
  page_day: numbers,
  time: numbers,
  status: numbers,
  bot_name: texts,
  referrer_domain: texts,
  referrer_class: texts,
  ai_operator: texts,
  country: texts,
  traffic_class: texts,
  verification: texts,
  requests: numbers,
  timed_requests: numbers,
  time_taken_ms: numbers,
  p95: z.number().nullable(),
});
type Columns = z.infer<typeof columns>;

const noRequest = {
  ...(Object.fromEntries([...KEYS, ...SUMS].map((name) => [name, []])) as unknown as Omit<Columns, 'p95'>),
  p95: null,
};

/** null: there are too many. */
export async function readPathCombinations(
  reader: ClickHouseReader,
  scope: Scope,
  question: PathQuestion,
  spans: readonly DaySpan[],
): Promise<PathCombinations | null> {
  const query = combinationsQuery(await withLateVerdicts(reader, scope), question, spans);
  try {
    const [found = noRequest] = await reader.read({ ...query, row: columns, mostBytes: MOST_BYTES });
    return {
      logs: pathLogsOf(foldCombinations(found)),
      pages: spans.map((span) => pagesWithin(found, span)),
    };
  } catch (error) {
    if (isTooLargeToRead(error)) return null;
    throw error;
  }
}

function combinationsQuery(scope: Scope, { path, twin, bucket }: PathQuestion, spans: readonly DaySpan[]) {
  const rows = scopeClause(scope);
  const pages = spans.length === 0 ? null : pagesClause(scope.websiteId, spans);
  const verification = resolvedVerification(requestClaim, scope);
  return {
    name: 'url.logs',
    // The path first: other columns are read for few rows.
    sql: `SELECT ${[...KEYS, ...SUMS].map((name) => `groupArray(${name === 'time' ? 'toUnixTimestamp(f.time)' : `f.${name}`}) AS ${name}`).join(', ')},
  quantileBFloat16MergeIf(0.95)(f.times, f.own AND f.counted) AS p95
FROM (
  SELECT r.path = {url_path: String} AS own, ${pages === null ? '1' : `toUInt8(${rows.sql})`} AS counted,
    ${pages === null ? 'toUInt32(0)' : `if(own AND ${pages.sql}, roundDown(toUnixTimestamp(r.timestamp), {url_page_days: Array(UInt32)}), 0)`} AS page_day,
    ${bucketStart[bucket]} AS time, r.status AS status, r.bot_name AS bot_name, r.referrer_domain AS referrer_domain,
    r.referrer_class AS referrer_class, r.ai_operator AS ai_operator, r.country AS country, r.traffic_class AS traffic_class,
    ${verification.sql} AS verification, count() AS requests, count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms, quantileBFloat16State(0.95)(r.time_taken_ms) AS times
  FROM requests AS r
  PREWHERE r.path IN {url_paths: Array(String)}
  WHERE ${pages === null ? rows.sql : `(${rows.sql}) OR (${pages.sql})`}
  GROUP BY ${KEYS.join(', ')}
) AS f`,
    params: {
      ...rows.params,
      ...pages?.params,
      ...verification.params,
      url_path: path,
      url_paths: twin === null ? [path] : [path, twin],
    },
  };
}

/** The pages that people were served between the first and the last edge. */
function pagesClause(websiteId: string, spans: readonly DaySpan[]): Clause {
  const edges = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  return {
    sql: `r.website_id = {website_id: String}
    AND r.timestamp >= fromUnixTimestamp64Milli({url_pages_start: Int64}, 'UTC') AND r.timestamp < fromUnixTimestamp64Milli({url_pages_end: Int64}, 'UTC')
    AND ${isHumanPage}`,
    params: {
      website_id: websiteId,
      url_pages_start: edges[0]!,
      url_pages_end: edges.at(-1)!,
      url_page_days: edges.map((edge) => edge / SECOND_MS),
    },
  };
}

function pagesWithin({ page_day, requests }: Columns, { start, end }: DaySpan): number {
  let sum = 0;
  for (let index = 0; index < page_day.length; index++) {
    const edge = page_day[index]! * SECOND_MS;
    if (edge >= start && edge < end) sum += requests[index]!;
  }
  return sum;
}

const none: LogRow = {
  ...{ list: 'total', own: 1, time: 0, status: 0, bot_name: '', country: '' },
  ...{ referrer_domain: '', referrer_class: '', ai_operator: '', p95: null },
  ...{ requests: 0, human_requests: 0, verified_search_requests: 0, unspoofed_requests: 0 },
  ...{ timed_requests: 0, time_taken_ms: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0 },
};
type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** The rows of all lists, with the figures that their parts of the report have. */
function foldCombinations(found: Columns): LogRow[] {
  const lists = Object.fromEntries(listNames.map((list) => [list, new Map()])) as unknown as Record<
    LogRow['list'],
    Map<string | number, Mutable<LogRow>>
  >;
  const rowOf = (list: LogRow['list'], key: string | number, index: number) => {
    const known = lists[list].get(key);
    if (known !== undefined) return known;
    const row = { ...none, list, ...keysOf[list](found, index) };
    lists[list].set(key, row);
    return row;
  };
  for (let index = 0; index < found.own.length; index++) {
    if (found.counted[index] !== 1) continue;
    addAll(rowOf('total', found.own[index]!, index), found, index);
    if (found.own[index] !== 1) continue;
    addAll(rowOf('time', found.time[index]!, index), found, index);
    const referrer = `${found.referrer_class[index]}\n${found.ai_operator[index]}\n${found.referrer_domain[index]}`;
    const requests = found.requests[index]!;
    rowOf('status', found.status[index]!, index).requests += requests;
    rowOf('referrer', referrer, index).requests += requests;
    rowOf('country', found.country[index]!, index).requests += requests;
    const bot = rowOf('bot', found.bot_name[index]!, index);
    bot.requests += requests;
    if (found.verification[index] !== 'spoofed') bot.unspoofed_requests += requests;
  }
  return Object.values(lists).flatMap((rows) => [...rows.values()].sort(inOrder).slice(0, MOST_ROWS));
}

const keysOf: Record<LogRow['list'], (found: Columns, index: number) => Partial<LogRow>> = {
  total: ({ own, p95 }, index) => ({ own: own[index]!, p95 }),
  time: ({ time }, index) => ({ time: time[index]! * SECOND_MS }),
  status: ({ status }, index) => ({ status: status[index]! }),
  bot: ({ bot_name }, index) => ({ bot_name: bot_name[index]! }),
  referrer: ({ referrer_domain, referrer_class, ai_operator }, index) => ({
    referrer_domain: referrer_domain[index]!,
    referrer_class: referrer_class[index]!,
    ai_operator: ai_operator[index]!,
  }),
  country: ({ country }, index) => ({ country: country[index]! }),
};

const listNames = Object.keys(keysOf) as LogRow['list'][];

function addAll(row: Mutable<LogRow>, found: Columns, index: number): void {
  const requests = found.requests[index]!;
  row.requests += requests;
  const trafficClass = found.traffic_class[index];
  if (trafficClass === 'human') row.human_requests += requests;
  else if (trafficClass === 'search_bot' && found.verification[index] === 'verified')
    row.verified_search_requests += requests;
  row.timed_requests += found.timed_requests[index]!;
  row.time_taken_ms += found.time_taken_ms[index]!;
  const name = nameOfClass[Math.floor(found.status[index]! / 100)];
  if (name !== undefined) row[name] += requests;
}

const nameOfClass = [undefined, undefined, 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const;

/** Rows of one list, in the order of the engine's statement. */
function inOrder(one: LogRow, other: LogRow): number {
  return (
    one.time - other.time ||
    other.requests - one.requests ||
    one.status - other.status ||
    compareBytes(one.bot_name, other.bot_name) ||
    compareBytes(one.referrer_domain, other.referrer_domain) ||
    compareBytes(one.referrer_class, other.referrer_class) ||
    compareBytes(one.ai_operator, other.ai_operator) ||
    compareBytes(one.country, other.country)
  );
}
