import { z } from 'zod';
import type { CrawlBasis } from '../../../shared/reads/bots/crawl-basis-sql.js';
import {
  BUILD_EXPIRES,
  buildSettings,
  type DailyBuild,
  day,
  daySeconds,
  LAST_BOT,
  MOST_PAGES,
  midnightOf,
  SCORE_BUCKETS,
} from '../../../shared/reads/bots/daily-build.js';
import { readVerifiedFamilies } from '../../../shared/reads/bots/read-crawl-basis.js';
import { searchCrawlerFetches } from '../../../shared/reads/bots/search-crawler-fetches.js';
import { type CountedDay, countDays } from '../../../shared/reads/seo/counted-days.js';
import type { Clause } from '../../../shared/reads/sql/clause.js';
import { isServedPage } from '../../../shared/reads/sql/served-page.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * The importance of each page for each family of search crawlers, and the fetches of every path. Both are built once a day, from the
 * last 90 days (search-crawler-fetches.ts). A page counts if the family was served it (served-page.ts). Reads use the build's own tables.
 * A family counts by its verified requests. A family without any counts by its unproved claims, and the build records it.
 *
 * score = 10 · ln(1 + crawls) / ln(1 + crawls of the family's most fetched page), to one digit. 10 is the most fetched page. The scale is
 * logarithmic, since fetches of pages spread over powers of ten.
 */

/** The crawler table has some thirty families of search crawlers. */
const MOST_FAMILIES = 100;

/** Stored paths of a build, the most fetched. It limits the storage of one website. */
const MOST_PATHS = 1_000_000;

export type BuildStore = Pick<ClickHouse, 'command' | 'read'>;

/**
 * Builds a website's importance and its crawled paths inside the engine. A reader sees the complete build, or the previous one.
 * @param signal fires when nothing more may be written
 * @returns false: no page was served to a search crawler, and there is no build. An empty build would hide rows that are stored later with earlier
 * dates, until the next build
 * @throws as ClickHouseWriter.command. The build is invisible then; repeat it under another id
 */
export async function writeDailyBuild(
  store: BuildStore,
  build: DailyBuild,
  signal?: AbortSignal,
): Promise<boolean> {
  // Read from the build's source table before the build, so rows that are stored meanwhile make the build stale.
  const counted = await countDays(store, build.websiteId, build.now);
  const verified = await readVerifiedFamilies(store, build.websiteId, build.now);
  const pages = pagesOfBuild(build, verified);
  await store.command(pages.sql, pages.params, buildSettings);
  signal?.throwIfAborted();
  if (!(await holdsPages(store, build))) return false;
  for (const basis of ['verified', 'unproved'] as const) {
    await buildCrawledPaths(store, build, basis);
    signal?.throwIfAborted();
  }
  const row = rowOfBuild(build, counted, verified);
  await store.command(row.sql, row.params);
  return true;
}

/** The counted fetches of served pages: each family's verified ones, or its unproved claims if `verified` does not name it. */
function countedFetches({ websiteId, now }: DailyBuild, verified: readonly string[]): Clause {
  const fetches = (basis: CrawlBasis, where: Clause) =>
    searchCrawlerFetches({
      ...{ websiteId, now, basis, where },
      columns: ['requests', 'first_seen', 'last_seen', 'expires'],
    });
  const served = `(${isServedPage('file_type', 'status')})`;
  const proved = fetches('verified', { sql: served, params: {} });
  const claimed = fetches('unproved', {
    sql: `${served} AND bot_family NOT IN {verified_families: Array(String)}`,
    params: { verified_families: verified },
  });
  return {
    sql: `${proved.sql}\nUNION ALL\n${claimed.sql}`,
    params: { ...proved.params, ...claimed.params },
  };
}

function pagesOfBuild(build: DailyBuild, verified: readonly string[]) {
  const { websiteId, buildId, now } = build;
  const crawls = countedFetches(build, verified);
  return {
    sql: `INSERT INTO page_importance (website_id, built_on, build_id, family, path, crawls, score_tenths, first_crawl, last_crawl, expires)
SELECT {website_id: String}, ${day('built_on')}, {build_id: String}, p.family, p.path, p.crawls,
  toUInt8(round(100 * log(1 + p.crawls) / log(1 + max(p.crawls) OVER (PARTITION BY p.family)))),
  p.first_crawl, p.last_crawl, least(${BUILD_EXPIRES}, p.expires)
FROM (
  SELECT c.family AS family, c.path AS path, sum(c.requests) AS crawls,
    min(c.first_seen) AS first_crawl, max(c.last_seen) AS last_crawl, max(c.expires) AS expires
  FROM (${crawls.sql}) AS c
  GROUP BY c.family, c.path
  ORDER BY crawls DESC, family, path
  LIMIT ${MOST_PAGES} BY family
  LIMIT ${MOST_PAGES * MOST_FAMILIES}
) AS p`,
    params: { ...crawls.params, website_id: websiteId, build_id: buildId, built_on: daySeconds(now) },
  };
}

async function holdsPages(store: BuildStore, { websiteId, buildId, now }: DailyBuild): Promise<boolean> {
  const found = await store.read({
    name: 'page_importance.any',
    sql: `SELECT 1 AS one FROM page_importance
WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String} LIMIT 1`,
    params: { website_id: websiteId, build_id: buildId, built_on: daySeconds(now) },
    row: z.object({ one: z.number() }),
  });
  return found.length > 0;
}

function rowOfBuild(
  { websiteId, buildId, now }: DailyBuild,
  counted: readonly CountedDay[],
  verified: readonly string[],
) {
  const inBucket = (bucket: number) => {
    const last = bucket === SCORE_BUCKETS - 1;
    return `countIf(score_tenths >= ${bucket * 10}${last ? '' : ` AND score_tenths < ${(bucket + 1) * 10}`})`;
  };
  const buckets = Array.from({ length: SCORE_BUCKETS }, (_, bucket) => inBucket(bucket));
  return {
    sql: `INSERT INTO page_importance_builds (website_id, generated, build_id, families, verified, pages, crawls, distribution, expires, counted_days, counted_requests)
SELECT {website_id: String}, fromUnixTimestamp64Milli({generated: Int64}, 'UTC'), {build_id: String},
  groupArray(f.family), groupArray(has({verified_families: Array(String)}, f.family)), groupArray(f.pages), groupArray(f.crawls), groupArray(f.distribution), ${BUILD_EXPIRES},
  {counted_days: Array(UInt32)}, {counted_requests: Array(UInt64)}
FROM (
  SELECT toString(family) AS family, count() AS pages, sum(p.crawls) AS crawls, [${buckets.join(', ')}] AS distribution
  FROM page_importance AS p
  WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String}
  GROUP BY family
  ORDER BY crawls DESC, family
) AS f`,
    params: {
      website_id: websiteId,
      build_id: buildId,
      built_on: daySeconds(now),
      generated: now,
      verified_families: verified,
      counted_days: counted.map((one) => one.day),
      counted_requests: counted.map(({ requests }) => requests),
    },
  };
}

/** The fetches of every path before the day of the build. */
async function buildCrawledPaths(
  store: Pick<BuildStore, 'command'>,
  { websiteId, buildId, now }: DailyBuild,
  basis: CrawlBasis,
): Promise<void> {
  const crawls = searchCrawlerFetches({
    websiteId,
    now,
    basis,
    before: midnightOf(now),
    columns: ['bot_name', 'requests', 'last_seen', 'expires'],
  });
  await store.command(
    `INSERT INTO crawled_paths (website_id, built_on, build_id, is_verified, path, requests, last_seen, bot_name, expires)
SELECT {website_id: String}, ${day('built_on')}, {build_id: String}, ${basis === 'verified'}, c.path, sum(c.requests) AS fetches, max(c.last_seen),
  ${LAST_BOT}, least(${BUILD_EXPIRES}, max(c.expires))
FROM (${crawls.sql}) AS c
GROUP BY c.path
ORDER BY fetches DESC, c.path
LIMIT ${MOST_PATHS}`,
    { ...crawls.params, website_id: websiteId, build_id: buildId, built_on: daySeconds(now) },
    buildSettings,
  );
}
