import type { CrawlBasis } from '../bots/crawl-basis-sql.js';
import { LAST_BOT, midnightOf } from '../bots/daily-build.js';
import { searchCrawlerFetches } from '../bots/search-crawler-fetches.js';
import { listedPaths } from '../sitemaps/listed-paths.js';
import type { Clause } from '../sql/clause.js';
import type { LateVerdicts } from '../sql/late-verdicts.js';
import { pageTypes } from '../sql/served-page.js';
import type { SearchConnection } from './search-connection.js';
import { recentPages } from './search-performance-sql.js';

/** Facts of each page from crawlers, sitemaps and a connected source: the input of index coverage and reconcile. */

export interface PageFacts {
  readonly source: Pick<SearchConnection, 'websiteId' | 'sourceId'>;
  /** As in `Scope`. */
  readonly lateVerdicts?: LateVerdicts | undefined;
  /** Milliseconds since the epoch, like all times here. */
  readonly now: number;
  /** The fetches that count. */
  readonly basis: CrawlBasis;
  /** Fetches count from the UTC day of this time. */
  readonly crawledSince: number;
  /** The paths that the sitemaps list, from `listedSince`; null: sitemaps are not read. */
  readonly listedSince: number | null;
}

/**
 * A SELECT of one row for each path: fetches of pages by search crawlers, with any status; the inspection; the source's figures of 28 days.
 * Without an inspection `inspected_ms` is 0; without a fetch `last_fetch_ms` is 0. Paths are those that were fetched, inspected or are
 * listed; impressions alone do not add a path.
 */
export function pageFacts({
  source,
  lateVerdicts,
  now,
  basis,
  crawledSince,
  listedSince,
}: PageFacts): Clause {
  const types = pageTypes.map((type) => `'${type}'`).join(', ');
  const crawls = searchCrawlerFetches({
    websiteId: source.websiteId,
    lateVerdicts,
    now,
    basis,
    from: midnightOf(crawledSince),
    columns: ['bot_name', 'status', 'requests', 'last_seen'],
    where: { sql: `file_type IN (${types})`, params: {} },
  });
  const listed = listedSince === null ? null : listedPaths(source.websiteId, listedSince);
  const shown = recentPages(source);
  const none = { ...noFetch, ...noInspection, ...notShown, known: 'true' };
  const select = (expressions: Partial<Record<keyof typeof none, string>>, from: string) =>
    `SELECT path, ${Object.entries({ ...none, ...expressions })
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(', ')} FROM ${from}`;
  const fetches = `(SELECT c.path AS path, sum(c.requests) AS crawl_fetches, sumIf(c.requests, c.status >= 400) AS crawl_errors,
  toUnixTimestamp64Milli(max(c.last_seen)) AS crawl_last, ${LAST_BOT} AS crawl_bot FROM (${crawls.sql}) AS c GROUP BY c.path)`;
  const inspections = `(SELECT * FROM index_inspections FINAL
  WHERE website_id = {search_website_id: String} AND source_id = {search_source_id: String}) AS i`;
  const parts = [
    select(
      {
        fetches: 'crawl_fetches',
        error_fetches: 'crawl_errors',
        last_fetch_ms: 'crawl_last',
        last_bot: 'crawl_bot',
      },
      fetches,
    ),
    select(
      {
        inspected_ms: 'toUnixTimestamp64Milli(i.inspected_at)',
        verdict: 'toString(i.verdict)',
        coverage_state: 'toString(i.coverage_state)',
        inspected_url: 'i.url',
        engine_canonical: 'i.engine_canonical',
      },
      inspections,
    ),
    select(
      {
        impressions: 's.impressions',
        clicks: 's.clicks',
        position: 's.position',
        known: 'false',
      },
      `(${shown.sql}) AS s`,
    ),
    ...(listed === null ? [] : [select({}, `(${listed.sql})`)]),
  ];
  const sum = (name: string) => `sum(u.${name}) AS ${name}`;
  const max = (name: string) => `max(u.${name}) AS ${name}`;
  return {
    sql: `SELECT u.path AS path, ${['fetches', 'error_fetches', 'impressions', 'clicks'].map(sum).join(', ')},
  ${['last_fetch_ms', 'last_bot', 'inspected_ms', 'verdict', 'coverage_state', 'inspected_url', 'engine_canonical', 'position'].map(max).join(', ')}
FROM (${parts.join('\nUNION ALL\n')}) AS u
GROUP BY u.path
HAVING max(u.known)`,
    params: { ...crawls.params, ...shown.params, ...listed?.params },
  };
}

const noFetch = {
  fetches: 'toUInt64(0)',
  error_fetches: 'toUInt64(0)',
  last_fetch_ms: 'toInt64(0)',
  last_bot: "''",
};
const noInspection = {
  inspected_ms: 'toInt64(0)',
  verdict: "''",
  coverage_state: "''",
  inspected_url: "''",
  engine_canonical: "''",
};
const notShown = { impressions: 'toUInt64(0)', clicks: 'toUInt64(0)', position: 'toFloat64(0)' };

/** Verdicts of an inspection of an indexed page. */
export const indexedVerdicts: readonly string[] = ['PASS', 'PARTIAL'];

/** SQL of a condition on a row of the facts: the page is indexed. */
export const IS_INDEXED = `f.verdict IN (${indexedVerdicts.map((verdict) => `'${verdict}'`).join(', ')})`;
