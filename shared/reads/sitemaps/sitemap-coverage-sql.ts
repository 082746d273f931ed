import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlBasis } from '../bots/crawl-basis-sql.js';
import { type SearchCrawlerFetches, searchCrawlerFetches } from '../bots/search-crawler-fetches.js';
import type { Clause } from '../sql/clause.js';
import type { LateVerdicts } from '../sql/late-verdicts.js';
import { isServedPage } from '../sql/served-page.js';
import { readByTexts } from '../sql/text-batches.js';
import { listedPaths, listedUrls } from './listed-paths.js';

/**
 * Listed URLs compared with the fetches of search crawlers, by path and query. A listed URL has the requests with its own query. Requests
 * of a listed path with another query belong to unlisted URLs. If sitemaps list no URL of a path, all its requests are one row, because the
 * number of parameters is unlimited.
 */

/** Maximum rows of listed paths with other queries, newest first: it bounds the cost of such URLs. Each has one fetch or more. */
export const MOST_OTHER_QUERIES = 100_000;

/** A page without a fetch of a search crawler in this time is stale. */
export const STALE_DAYS = 30;

export const coverageStatuses = [
  'all',
  'never_crawled',
  'recently_crawled',
  'stale',
  'not_in_sitemap',
] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

export const coverageSorts = ['path', 'times_crawled', 'last_crawled', 'first_seen'] as const;
export type CoverageSort = (typeof coverageSorts)[number];

export interface CoverageQuestion {
  readonly websiteId: string;
  /** As in `Scope`. */
  readonly lateVerdicts?: LateVerdicts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** From `listedSince`. */
  readonly listedSince: number;
  /** The fetches that count. */
  readonly basis: CrawlBasis;
  /** Whether a listed URL may have a query, from `readListingState`. */
  readonly listsQueries: boolean;
}

export interface CoveragePage {
  readonly status: CoverageStatus;
  readonly sort: CoverageSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const crawledRow = z.object({
  path: z.string(),
  query: z.string(),
  is_listed: z.boolean(),
  crawls: z.number(),
  last_crawl_ms: z.number(),
  file_type: z.string(),
  response_code: z.number(),
  bot_name: z.string(),
});

const listedRow = z.object({
  path: z.string(),
  query: z.string(),
  url: z.string(),
  sitemap: z.string(),
  /** 0: unknown. */
  lastmod_ms: z.number(),
  first_seen_ms: z.number(),
});

type CrawledRow = z.infer<typeof crawledRow>;

export interface CoverageRow extends Omit<CrawledRow, 'is_listed'> {
  /** null: no sitemap lists the URL. */
  readonly listed: z.infer<typeof listedRow> | null;
}

/** Number of URLs of each status. */
export type CoverageTotals = Readonly<Record<CoverageStatus, number>>;

export interface Coverage {
  readonly rows: readonly CoverageRow[];
  readonly totals: CoverageTotals;
}

/** A page of the list, and the totals of the whole list. @throws as `ClickHouseReader.read` */
export async function readCoverage(
  reader: ClickHouseReader,
  question: CoverageQuestion,
  { status, sort, descending, limit, offset }: CoveragePage,
): Promise<Coverage> {
  const { sql, params } = coverageOf(question);
  const direction = descending ? 'DESC' : 'ASC';
  const rows = await reader.read({
    name: 'sitemap.coverage',
    sql: `SELECT b.path AS path, b.query AS query, b.listed AS is_listed, b.crawls AS crawls, toUnixTimestamp64Milli(b.last_crawl) AS last_crawl_ms,
  b.file_type AS file_type, b.response_code AS response_code, b.bot_name AS bot_name, b.totals AS totals
FROM (SELECT b.*, [${counts.map((count) => `${count} OVER ()`).join(', ')}] AS totals FROM (${sql}) AS b) AS b
WHERE ${conditions[status]}
ORDER BY ${sort === 'path' ? '' : `b.${columnOf[sort]} ${direction}, `}b.path ${sort === 'path' ? direction : 'ASC'}, b.query ${sort === 'path' ? direction : 'ASC'}
LIMIT {limit: UInt32} OFFSET {offset: UInt64}`,
    params: { ...params, limit, offset },
    row: crawledRow.extend({ totals }),
  });
  const [first] = rows;
  // No row of an empty page carries the totals.
  const all = first === undefined ? await readCoverageTotals(reader, question) : toTotals(first.totals);
  const listed = await readListed(
    reader,
    question.websiteId,
    rows.filter(({ is_listed }) => is_listed),
  );
  return {
    rows: rows.map(({ is_listed, totals, ...row }) => ({ ...row, listed: listed.get(placeOf(row)) ?? null })),
    totals: all,
  };
}

/**
 * Sitemap fields of these URLs, read for one page of the list only. Carried through the join and the sort, the URLs of a million pages
 * would take most of a statement's memory.
 */
async function readListed(reader: ClickHouseReader, websiteId: string, urls: readonly Place[]) {
  const rows = await readByTexts(urls.map(placeOf), (batch) =>
    reader.read({
      name: 'sitemap.listed_urls',
      sql: `SELECT u.path AS path, u.query AS query, tupleElement(max(u.listed), 'url') AS url, tupleElement(max(u.listed), 'sitemap') AS sitemap,
  toUnixTimestamp64Milli(tupleElement(max(u.listed), 'lastmod')) AS lastmod_ms, toUnixTimestamp64Milli(min(u.first_seen)) AS first_seen_ms
FROM sitemap_urls AS u
WHERE u.website_id = {website_id: String} AND u.path IN (SELECT substringIndex(arrayJoin({urls: Array(String)}), '?', 1))
  AND concat(u.path, '?', u.query) IN {urls: Array(String)}
GROUP BY u.path, u.query`,
      params: { website_id: websiteId, urls: batch },
      row: listedRow,
    }),
  );
  return new Map(rows.map((row) => [placeOf(row), row]));
}

type Place = Pick<CrawledRow, 'path' | 'query'>;

/** The key is unique, because a path has no `?`. */
const placeOf = ({ path, query }: Place) => `${path}?${query}`;

/** In the order of `coverageStatuses`. */
const totals = z.array(z.number());

const toTotals = (numbers: readonly number[]) =>
  Object.fromEntries(coverageStatuses.map((status, index) => [status, numbers[index]!])) as CoverageTotals;

/** @throws as `ClickHouseReader.read` */
export async function readCoverageTotals(
  reader: ClickHouseReader,
  question: CoverageQuestion,
): Promise<CoverageTotals> {
  const { sql, params } = coverageOf(question);
  const [row] = await reader.read({
    name: 'sitemap.totals',
    sql: `SELECT [${counts.join(', ')}] AS totals FROM (${sql}) AS b`,
    params,
    row: z.object({ totals }),
  });
  return toTotals(row!.totals);
}

const columnOf = { times_crawled: 'crawls', last_crawled: 'last_crawl', first_seen: 'first_seen' } as const;

const STALE_BEFORE = "fromUnixTimestamp64Milli({stale_before: Int64}, 'UTC')";
/** Excludes `OPTIONS *`, which has no page, and style sheets and errors, which sitemaps do not list. */
export const conditions: Record<CoverageStatus, string> = {
  all: 'b.listed',
  never_crawled: 'b.listed AND b.crawls = 0',
  recently_crawled: `b.listed AND b.crawls > 0 AND b.last_crawl >= ${STALE_BEFORE}`,
  stale: `b.listed AND b.crawls > 0 AND b.last_crawl < ${STALE_BEFORE}`,
  not_in_sitemap: `NOT b.listed AND startsWith(b.path, '/') AND ${isServedPage('b.file_type', 'b.response_code')}`,
};

const counts = coverageStatuses.map((status) => `countIf(${conditions[status]})`);

/** A row for each URL that is listed or was fetched. */
export function coverageOf(question: CoverageQuestion): Clause {
  const { websiteId, now, listedSince } = question;
  const listed = listedUrls(websiteId, listedSince);
  const crawls = crawlsOf(question);
  return {
    sql: `SELECT if(l.listed, l.path, c.path) AS path, if(l.listed, l.query, c.query) AS query, l.listed AS listed, l.first_seen AS first_seen, c.crawls AS crawls,
  c.last_crawl AS last_crawl, c.file_type AS file_type, c.response_code AS response_code, c.bot_name AS bot_name
FROM (SELECT p.path AS path, p.query AS query, true AS listed, p.first_seen AS first_seen FROM (${listed.sql}) AS p) AS l
FULL JOIN (${crawls.sql}) AS c ON l.path = c.path AND l.query = c.query`,
    params: { ...listed.params, ...crawls.params, stale_before: now - STALE_DAYS * DAY_MS },
  };
}

/**
 * SQL of the last fetch, over rows `c`. If several crawlers fetched at that instant, the one of LAST_BOT counts, with its highest status.
 * It is one text, because the engine takes twice as long to compare tuples. The times of these days have the same number of digits.
 */
const LAST_FETCH = `max(concat(toString(toUnixTimestamp64Milli(c.last_seen)), toString(c.bot_name), '\\0', leftPad(toString(c.status), 5, '0'), '\\0', toString(c.file_type)))`;
const DIGITS_OF_TIME = 13;

const COLUMNS = ['bot_name', 'file_type', 'status', 'requests', 'last_seen'] as const;

/** Rows by path, and for listed paths with a query by path and query. */
function crawlsOf(question: CoverageQuestion): Clause {
  const listed = listedPaths(question.websiteId, question.listedSince);
  const plain = fetchesOf(question, {
    where: { sql: `(has_query = 0 OR path NOT IN (${listed.sql}))`, params: listed.params },
  });
  const withQuery = [
    ...(question.listsQueries ? [fetchesOfListedQueries(question)] : []),
    fetchesOfOtherQueries(question),
  ];
  const figures = `sum(c.requests) AS crawls, ${LAST_FETCH} AS last_fetch`;
  return {
    sql: `SELECT f.path AS path, f.query AS query, f.crawls AS crawls, fromUnixTimestamp64Milli(toInt64(substring(f.last_fetch, 1, ${DIGITS_OF_TIME})), 'UTC') AS last_crawl,
  splitByChar('\\0', substring(f.last_fetch, ${DIGITS_OF_TIME + 1})) AS last, last[3] AS file_type, toUInt16(last[2]) AS response_code, last[1] AS bot_name
FROM (
  SELECT c.path AS path, '' AS query, ${figures} FROM (${plain.sql}) AS c GROUP BY c.path
  UNION ALL
  SELECT c.path AS path, c.query AS query, ${figures}
  FROM (${withQuery.map(({ sql }) => `SELECT * FROM (${sql})`).join('\nUNION ALL\n')}) AS c
  GROUP BY c.path, c.query
) AS f`,
    params: Object.assign({}, plain.params, ...withQuery.map(({ params }) => params)),
  };
}

function fetchesOf(
  { websiteId, lateVerdicts, now, basis }: CoverageQuestion,
  rows: Pick<SearchCrawlerFetches, 'where' | 'withQuery'>,
): Clause {
  const columns = rows.withQuery ? (['query', ...COLUMNS] as const) : COLUMNS;
  return searchCrawlerFetches({ websiteId, lateVerdicts, now, basis, columns, ...rows });
}

function listedQueries({ websiteId, listedSince }: CoverageQuestion): Clause {
  const listed = listedUrls(websiteId, listedSince);
  return { sql: `SELECT path, query FROM (${listed.sql}) WHERE query != ''`, params: listed.params };
}

function fetchesOfListedQueries(question: CoverageQuestion): Clause {
  const { sql, params } = listedQueries(question);
  return fetchesOf(question, { withQuery: true, where: { sql: `(path, query) IN (${sql})`, params } });
}

/** Fetches of a listed path with an unlisted query. */
function fetchesOfOtherQueries(question: CoverageQuestion): Clause {
  const paths = listedPaths(question.websiteId, question.listedSince);
  const queries = listedQueries(question);
  const isOther = question.listsQueries ? ` AND (path, query) NOT IN (${queries.sql})` : '';
  const { sql, params } = fetchesOf(question, {
    withQuery: true,
    where: { sql: `path IN (${paths.sql})${isOther}`, params: { ...queries.params, ...paths.params } },
  });
  return { sql: `SELECT * FROM (${sql}) ORDER BY last_seen DESC LIMIT ${MOST_OTHER_QUERIES}`, params };
}
