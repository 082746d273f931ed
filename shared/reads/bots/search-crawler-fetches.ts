import { DAY_MS } from '../../durations.js';
import type { QueryParameter } from '../../store/client.js';
import type { Clause } from '../sql/clause.js';
import type { LateVerdicts } from '../sql/late-verdicts.js';
import { crawlerPaths, crawlerQueries } from '../sql/read-tables.js';
import { joinVerification, resolvedVerification, rollupClaim } from '../sql/verification.js';
import { type CrawlBasis, verificationsInSql, verificationsOf } from './crawl-basis-sql.js';
import { midnightOf } from './daily-build.js';

/**
 * Recent fetches of search crawlers that have a path: the rows that page-importance, url, urls/search and seo/sitemap count. They are whole
 * UTC days of a rollup, so that no raw row is read.
 */

/** Counted days, including the day of the read. */
export const SEARCH_FETCH_DAYS = 90;

export type SearchFetchColumn =
  | 'query'
  | 'bot_name'
  | 'file_type'
  | 'status'
  | 'requests'
  | 'first_seen'
  | 'last_seen'
  | 'expires';

export interface SearchCrawlerFetches {
  readonly websiteId: string;
  /** As in `Scope`. */
  readonly lateVerdicts?: LateVerdicts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Verified requests, or unproved claims. */
  readonly basis: CrawlBasis;
  /** Midnight (UTC) at which the first day begins; default: the start of the last 90 days. */
  readonly from?: number;
  /** Midnight (UTC) before which the last day ends; default: the day of the read is the last. */
  readonly before?: number;
  /** Reads the fetches whose URL has a query, with the column `query`; default: all fetches. */
  readonly withQuery?: true;
  /** Columns besides `family` and `path`, which are always selected. The cost of a statement grows with its columns. */
  readonly columns: readonly SearchFetchColumn[];
  /** A further condition over the rollup; its parameters must not start with `crawls_` or `claims_`. */
  readonly where?: Clause;
}

/** Midnight (UTC) at which the first counted day begins. In milliseconds since the epoch, like `now`. */
export function firstFetchDay(now: number): number {
  return midnightOf(now) - (SEARCH_FETCH_DAYS - 1) * DAY_MS;
}

/**
 * A SELECT of partial rows with `family`, `path` and the columns. If the statement looks verdicts up, it does so only for claims that were
 * pending when they were stored. All other rows, the majority, are read separately.
 */
export function searchCrawlerFetches(crawls: SearchCrawlerFetches): Clause {
  const { websiteId, lateVerdicts, now, basis, withQuery = false, columns, where } = crawls;
  const { from: start = firstFetchDay(now), before: end = midnightOf(now) + DAY_MS } = crawls;
  const params: Record<string, QueryParameter> = {
    crawls_website_id: websiteId,
    crawls_start: start / 1000,
    crawls_end: end / 1000,
    ...where?.params,
  };
  const rowsOf = (verification: string, names: readonly string[]) => `SELECT ${names.join(', ')}
FROM ${withQuery ? crawlerQueries.hourTable : crawlerPaths.hourTable}
WHERE website_id = {crawls_website_id: String} AND hour >= toDateTime({crawls_start: UInt32}, 'UTC')
  AND hour < toDateTime({crawls_end: UInt32}, 'UTC')
  AND bot_category = 'search' AND path != '' AND ${verification}${where === undefined ? '' : ` AND ${where.sql}`}`;
  const claims = { websiteId, lateVerdicts, window: { start, end } };
  const counted = verificationsInSql(verificationsOf[basis]);
  if (lateVerdicts != null) {
    const verification = resolvedVerification(rollupClaim, claims);
    const names = ['bot_family AS family', 'path', ...columns];
    return {
      sql: rowsOf(`${verification.sql} IN (${counted})`, names),
      params: { ...params, ...verification.params },
    };
  }
  const stored = verificationsOf[basis].filter((verification) => verification !== 'pending');
  const pending = joinVerification(
    {
      sql: rowsOf("bot_verification = 'pending'", [
        ...['bot_family', 'bot_verification', 'pending_ip', 'path'],
        ...columns,
      ]),
      params,
    },
    claims,
  );
  return {
    sql: `${rowsOf(`bot_verification IN (${verificationsInSql(stored)})`, ['bot_family AS family', 'path', ...columns])}
UNION ALL
SELECT ${['j.bot_family AS family', ...['path', ...columns].map((name) => `j.${name} AS ${name}`)].join(', ')}
FROM (${pending.sql}) AS j
WHERE j.verification IN (${counted})`,
    params: pending.params,
  };
}
