import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlBasis } from '../bots/crawl-basis-sql.js';
import { BUILD_LIVES_MS, day, daySeconds, type FinishedBuild } from '../bots/daily-build.js';
import type { Part } from '../sql/read-together.js';
import { type CountedDay, differs, readStoredDays } from './counted-days.js';

/** Importance of each page for each family of search crawlers, from the last build (write-daily-build.ts). */

export interface ImportanceBuild extends FinishedBuild {
  /** Most crawls first, then by name. */
  readonly families: readonly ImportanceFamily[];
}

export interface ImportanceFamily {
  readonly family: string;
  /** The requests of the family that count. */
  readonly basis: CrawlBasis;
  readonly pages: number;
  readonly crawls: number;
  /** Pages by score: from 0 to below 1, …, from 9 to 10. */
  readonly distribution: readonly number[];
}

const buildRow = z.object({
  build_id: z.string(),
  generated: z.number(),
  families: z.array(z.string()),
  verified: z.array(z.boolean()),
  pages: z.array(z.number()),
  crawls: z.array(z.number()),
  distribution: z.array(z.array(z.number())),
  counted_days: z.array(z.number()),
  counted_requests: z.array(z.number()),
});

/** The newest build; null: none, or none of the last week. @param now in milliseconds since the epoch. */
export async function readImportanceBuild(
  reader: ClickHouseReader,
  websiteId: string,
  now: number,
): Promise<ImportanceBuild | null> {
  const [row] = await reader.read({
    name: 'page_importance.build',
    sql: `SELECT build_id, toUnixTimestamp64Milli(b.generated) AS generated, families, verified, pages, crawls, distribution, counted_days, counted_requests
FROM page_importance_builds AS b
WHERE website_id = {website_id: String}
ORDER BY b.generated DESC
LIMIT 1`,
    params: { website_id: websiteId },
    row: buildRow,
    restsOn: { websiteId, part: 'other_tables' },
  });
  if (row === undefined || row.generated <= now - BUILD_LIVES_MS) return null;
  const counted: CountedDay[] = row.counted_days.map((day, index) => ({
    day,
    requests: row.counted_requests[index]!,
  }));
  return {
    buildId: row.build_id,
    generated: row.generated,
    stale: differs(counted, await readStoredDays(reader, websiteId, row.generated)),
    families: row.families.map((family, index) => ({
      family,
      basis: row.verified[index]! ? ('verified' as const) : ('unproved' as const),
      pages: row.pages[index]!,
      crawls: row.crawls[index]!,
      distribution: row.distribution[index]!,
    })),
  };
}

const pageRow = z.object({ path: z.string(), crawls: z.number(), score: z.number() });

/** Most crawls first, then by path. */
export function readImportantPages(
  reader: ClickHouseReader,
  websiteId: string,
  { buildId, generated }: ImportanceBuild,
  { family, limit }: { family: string; limit: number },
): Promise<{ path: string; crawls: number; score: number }[]> {
  return reader.read({
    name: 'page_importance.pages',
    sql: `SELECT path, crawls, score_tenths / 10 AS score FROM page_importance
WHERE website_id = {website_id: String} AND built_on = ${day('built_on')} AND build_id = {build_id: String} AND family = {family: String}
ORDER BY crawls DESC, path
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, built_on: daySeconds(generated), build_id: buildId, family, limit },
    row: pageRow,
  });
}

const standingRow = z.object({
  family: z.string(),
  crawls: z.number(),
  score: z.number(),
  /** Milliseconds since the epoch. */
  firstCrawl: z.number(),
  lastCrawl: z.number(),
});
export type FamilyScore = Readonly<z.output<typeof standingRow>>;

/** The rows of one page in a build, for each family that was served it: most crawls first, then by name. null: there are no families. */
export function familyScores(
  websiteId: string,
  { buildId, generated, families }: ImportanceBuild,
  path: string,
): Part<FamilyScore> | null {
  if (families.length === 0) return null;
  return {
    // The family names let the primary key find the path.
    sql: `SELECT family, crawls, score_tenths / 10 AS score, toUnixTimestamp64Milli(p.first_crawl) AS firstCrawl,
  toUnixTimestamp64Milli(p.last_crawl) AS lastCrawl
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
    restsOn: { websiteId, part: 'other_tables' },
  };
}
