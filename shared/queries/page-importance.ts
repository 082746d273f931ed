import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { buildCrawledPaths } from './crawled-paths.js';
import {
  BUILD_EXPIRES,
  BUILD_LIVES_MS,
  buildSettings,
  day,
  daySeconds,
  type FinishedBuild,
  type NightlyBuild,
} from './nightly-build.js';
import { searchCrawls } from './search-crawls.js';
import { isServedPage } from './served-page.js';

/**
 * How much each family of search crawlers cares for each page. It is worked out once a night, from the pages that the family was
 * served (served-page.ts) on the last 90 days (search-crawls.ts), and read from the build's own tables.
 *
 * score = 10 · ln(1 + crawls) / ln(1 + crawls of the family's most fetched page), to one digit: 10 is the most fetched page, and
 * a step is a factor, since fetches of pages spread over powers of ten.
 */

/** Pages that a build holds of a family: the most fetched. It bounds what a build stores and what one answer can hold. */
export const MOST_PAGES = 100_000;
/** Crawlers that the table of crawlers calls search crawlers are some thirty families. */
const MOST_FAMILIES = 100;

export const SCORE_BUCKETS = 10;

export interface ImportanceBuild extends FinishedBuild {
  /** Most crawls first, then by name. */
  readonly families: readonly ImportanceFamily[];
}

export interface ImportanceFamily {
  readonly family: string;
  readonly pages: number;
  readonly crawls: number;
  /** Pages by score: from 0 to below 1, …, from 9 to 10. */
  readonly distribution: readonly number[];
}

/**
 * Builds a website's importance and its crawled paths inside the engine; a reader sees all of it, or the build before.
 * @param signal fires when nothing more is to be written.
 * @throws as ClickHouseWriter.command: nothing is seen of the build then; repeat it under another id.
 */
export async function buildPageImportance(
  writer: Pick<ClickHouseWriter, 'command'>,
  build: NightlyBuild,
  signal?: AbortSignal,
): Promise<void> {
  const pages = pagesOfBuild(build);
  await writer.command(pages.sql, pages.params, buildSettings);
  signal?.throwIfAborted();
  await buildCrawledPaths(writer, build);
  signal?.throwIfAborted();
  const row = rowOfBuild(build);
  await writer.command(row.sql, row.params);
}

function pagesOfBuild({ websiteId, buildId, now }: NightlyBuild) {
  const crawls = searchCrawls({
    websiteId,
    now,
    columns: ['requests', 'first_seen', 'last_seen', 'expires'],
    where: { sql: `(${isServedPage('file_type', 'status')})`, params: {} },
  });
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

function rowOfBuild({ websiteId, buildId, now }: NightlyBuild) {
  const inBucket = (bucket: number) => {
    const last = bucket === SCORE_BUCKETS - 1;
    return `countIf(score_tenths >= ${bucket * 10}${last ? '' : ` AND score_tenths < ${(bucket + 1) * 10}`})`;
  };
  const buckets = Array.from({ length: SCORE_BUCKETS }, (_, bucket) => inBucket(bucket));
  return {
    sql: `INSERT INTO page_importance_builds (website_id, generated, build_id, families, pages, crawls, distribution, expires)
SELECT {website_id: String}, fromUnixTimestamp64Milli({generated: Int64}, 'UTC'), {build_id: String},
  groupArray(f.family), groupArray(f.pages), groupArray(f.crawls), groupArray(f.distribution), ${BUILD_EXPIRES}
FROM (
  SELECT toString(family) AS family, count() AS pages, sum(p.crawls) AS crawls, [${buckets.join(', ')}] AS distribution
  FROM page_importance AS p
  WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String}
  GROUP BY family
  ORDER BY crawls DESC, family
) AS f`,
    params: { website_id: websiteId, build_id: buildId, built_on: daySeconds(now), generated: now },
  };
}

const buildRow = z.object({
  build_id: z.string(),
  generated: z.number(),
  families: z.array(z.string()),
  pages: z.array(z.number()),
  crawls: z.array(z.number()),
  distribution: z.array(z.array(z.number())),
});

/** The newest build; null: there is none yet, or none of the last week. @param now in milliseconds since the epoch. */
export async function readImportanceBuild(
  reader: ClickHouseReader,
  websiteId: string,
  now: number,
): Promise<ImportanceBuild | null> {
  const [row] = await reader.read({
    name: 'page_importance.build',
    sql: `SELECT build_id, toUnixTimestamp64Milli(b.generated) AS generated, families, pages, crawls, distribution
FROM page_importance_builds AS b
WHERE website_id = {website_id: String} AND b.generated > fromUnixTimestamp64Milli({oldest: Int64}, 'UTC')
ORDER BY b.generated DESC
LIMIT 1`,
    params: { website_id: websiteId, oldest: now - BUILD_LIVES_MS },
    row: buildRow,
  });
  if (row === undefined) return null;
  return {
    buildId: row.build_id,
    generated: row.generated,
    families: row.families.map((family, index) => ({
      family,
      pages: row.pages[index]!,
      crawls: row.crawls[index]!,
      distribution: row.distribution[index]!,
    })),
  };
}

const pageRow = z.object({ path: z.string(), crawls: z.number(), score_tenths: z.number() });

/** Most crawls first, then by path. */
export async function readImportantPages(
  reader: ClickHouseReader,
  websiteId: string,
  { buildId, generated }: ImportanceBuild,
  { family, limit }: { family: string; limit: number },
): Promise<{ path: string; crawls: number; score: number }[]> {
  const rows = await reader.read({
    name: 'page_importance.pages',
    sql: `SELECT path, crawls, score_tenths FROM page_importance
WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String} AND family = {family: String}
ORDER BY crawls DESC, path
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, built_on: daySeconds(generated), build_id: buildId, family, limit },
    row: pageRow,
  });
  return rows.map(({ path, crawls, score_tenths }) => ({ path, crawls, score: score_tenths / 10 }));
}

const standingRow = z.object({
  family: z.string(),
  crawls: z.number(),
  score_tenths: z.number(),
  first_crawl: z.number(),
  last_crawl: z.number(),
});

export interface PageStanding {
  readonly family: string;
  readonly crawls: number;
  readonly score: number;
  /** Milliseconds since the epoch. */
  readonly firstCrawl: number;
  readonly lastCrawl: number;
}

/** What a build says of one page, for each family that was served it: most crawls first, then by name. */
export async function readPageStandings(
  reader: ClickHouseReader,
  websiteId: string,
  { buildId, generated, families }: ImportanceBuild,
  path: string,
): Promise<PageStanding[]> {
  if (families.length === 0) return [];
  const rows = await reader.read({
    name: 'page_importance.page',
    // By each family's name, so that the primary key leads to the path.
    sql: `SELECT family, crawls, score_tenths, toUnixTimestamp64Milli(p.first_crawl) AS first_crawl, toUnixTimestamp64Milli(p.last_crawl) AS last_crawl
FROM page_importance AS p
WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String}
  AND family IN {families: Array(String)} AND path = {path: String}
ORDER BY crawls DESC, family`,
    params: {
      website_id: websiteId,
      built_on: daySeconds(generated),
      build_id: buildId,
      families: families.map(({ family }) => family),
      path,
    },
    row: standingRow,
  });
  return rows.map(({ family, crawls, score_tenths, first_crawl, last_crawl }) => ({
    family,
    crawls,
    score: score_tenths / 10,
    firstCrawl: first_crawl,
    lastCrawl: last_crawl,
  }));
}
