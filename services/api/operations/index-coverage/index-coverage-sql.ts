import { z } from 'zod';
import { IS_INDEXED, type PageFacts, pageFacts } from '../../../../shared/reads/search/page-facts.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** Pages by the fetches of crawlers and the index of the engine (spec §4.3, §3.9). */

export const coverageBuckets = [
  'crawled_indexed',
  'crawled_not_indexed',
  'not_crawled_indexed',
  'not_crawled_not_indexed',
  'pending_inspection',
] as const;
export type CoverageBucket = (typeof coverageBuckets)[number];

export const reconcileBuckets = [
  'indexed_fetched',
  'indexed_not_fetched',
  'not_indexed_fetched',
  'fetched_not_inspected',
  'not_indexed_not_fetched',
] as const;
export type ReconcileBucket = (typeof reconcileBuckets)[number];

/** Over rows `f` of the facts. */
const COVERAGE_BUCKET = `multiIf(f.inspected_ms = 0, 'pending_inspection',
  f.last_fetch_ms >= {recent: Int64}, if(${IS_INDEXED}, 'crawled_indexed', 'crawled_not_indexed'),
  if(${IS_INDEXED}, 'not_crawled_indexed', 'not_crawled_not_indexed'))`;
const RECONCILE_BUCKET = `multiIf(f.inspected_ms = 0, 'fetched_not_inspected',
  f.fetches > 0, if(${IS_INDEXED}, 'indexed_fetched', 'not_indexed_fetched'),
  if(${IS_INDEXED}, 'indexed_not_fetched', 'not_indexed_not_fetched'))`;

export interface CoverageQuestion extends PageFacts {
  /** Milliseconds since the epoch: pages fetched since then count as crawled. */
  readonly recent: number;
}

const factRow = z.object({
  path: z.string(),
  bucket: z.string(),
  fetches: z.number(),
  error_fetches: z.number(),
  last_fetch_ms: z.number(),
  last_bot: z.string(),
  inspected_ms: z.number(),
  verdict: z.string(),
  coverage_state: z.string(),
  inspected_url: z.string(),
  engine_canonical: z.string(),
  impressions: z.number(),
  clicks: z.number(),
  position: z.number(),
});

/** All facts about a page. Unknown texts are empty; unknown times (milliseconds since the epoch) are 0. */
export type PageFact = z.output<typeof factRow>;

const FACTS = `f.path AS path, f.fetches AS fetches, f.error_fetches AS error_fetches, f.last_fetch_ms AS last_fetch_ms, f.last_bot AS last_bot,
  f.inspected_ms AS inspected_ms, f.verdict AS verdict, f.coverage_state AS coverage_state, f.inspected_url AS inspected_url,
  f.engine_canonical AS engine_canonical, f.impressions AS impressions, f.clicks AS clicks, f.position AS position`;

/** The top-level folder of a path; '/' if it is in no folder. */
const DIRECTORY = `if(position(f.path, '/', 2) > 0, substring(f.path, 1, position(f.path, '/', 2)), '/')`;

const countRow = z.object({
  directory: z.string(),
  pages: z.number(),
  counts: z.array(z.number()),
  /** Number of all directories; the rows are one page of them. */
  directories: z.number(),
  totals: z.array(z.number()),
});

export interface DirectoryCoverage {
  readonly directory: string;
  readonly counts: ReadonlyMap<CoverageBucket, number>;
}

/** Counts the pages in each bucket, in total and for one page of directories: most pages first, then by name. @throws as ClickHouseReader.read */
export async function readCoverage(
  reader: ClickHouseReader,
  question: CoverageQuestion,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{
  readonly totals: ReadonlyMap<CoverageBucket, number>;
  readonly totalDirectories: number;
  readonly directories: readonly DirectoryCoverage[];
}> {
  const facts = pageFacts(question);
  const counts = coverageBuckets.map((bucket) => `countIf(bucket = '${bucket}')`).join(', ');
  const rows = await reader.read({
    name: 'index_coverage.directories',
    sql: `WITH folded AS (
  SELECT ${DIRECTORY} AS directory, ${COVERAGE_BUCKET} AS bucket FROM (${facts.sql}) AS f
)
SELECT directory, count() AS pages, [${counts}] AS counts, count() OVER () AS directories, sumForEach(counts) OVER () AS totals
FROM folded
GROUP BY directory
ORDER BY pages DESC, directory
LIMIT {limit: UInt32} OFFSET {offset: UInt64}`,
    params: { ...facts.params, recent: question.recent, limit: Math.max(1, limit), offset },
    row: countRow,
  });
  const [first] = rows;
  // A page beyond the last returns no row with the totals.
  if (first === undefined && offset > 0) {
    const whole = await readCoverage(reader, question, { limit: 1, offset: 0 });
    return { ...whole, directories: [] };
  }
  return {
    totals: byBucket(first?.totals ?? []),
    totalDirectories: first?.directories ?? 0,
    directories: rows.map(({ directory, counts: buckets }) => ({ directory, counts: byBucket(buckets) })),
  };
}

function byBucket(counts: readonly number[]): ReadonlyMap<CoverageBucket, number> {
  return new Map(coverageBuckets.map((bucket, index) => [bucket, counts[index] ?? 0]));
}

export interface CoverageUrls {
  /** null: all. */
  readonly bucket: string | null;
  /** Prefix of the paths; '/': all. */
  readonly directory: string;
  readonly limit: number;
  readonly offset: number;
}

/** Pages, most impressions first, then by path. @throws as ClickHouseReader.read */
export async function readCoverageUrls(
  reader: ClickHouseReader,
  question: CoverageQuestion,
  { bucket, directory, limit, offset }: CoverageUrls,
): Promise<{ readonly total: number; readonly pages: readonly PageFact[] }> {
  const facts = pageFacts(question);
  const matching = `SELECT ${FACTS}, ${COVERAGE_BUCKET} AS bucket FROM (${facts.sql}) AS f
WHERE startsWith(f.path, {directory: String})${bucket === null ? '' : ' AND bucket = {bucket: String}'}`;
  const params = {
    ...facts.params,
    ...{ recent: question.recent, directory },
    ...(bucket !== null && { bucket }),
  };
  const rows = await reader.read({
    name: 'index_coverage.urls',
    sql: `SELECT *, count() OVER () AS matching FROM (${matching})
ORDER BY impressions DESC, path
LIMIT {limit: UInt64} OFFSET {offset: UInt64}`,
    params: { ...params, limit: Math.max(1, limit), offset },
    row: factRow.extend({ matching: z.number() }),
  });
  const [first] = rows;
  // A page beyond the last returns no row with the number.
  if (first === undefined && offset > 0) {
    const { total } = await readCoverageUrls(reader, question, { bucket, directory, limit: 1, offset: 0 });
    return { total, pages: [] };
  }
  return {
    total: first?.matching ?? 0,
    pages: rows.slice(0, limit).map(({ matching: _matching, ...page }) => page),
  };
}

/** Counts and first examples of the pages in each bucket, for pages that were fetched or inspected. @throws as ClickHouseReader.read */
export async function readReconciled(
  reader: ClickHouseReader,
  question: PageFacts,
  examples: number,
): Promise<{
  readonly inspected: number;
  readonly fetched: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly pages: readonly PageFact[];
}> {
  const facts = pageFacts(question);
  const [counts, pages] = await Promise.all([
    reader.read({
      name: 'search_reconcile.counts',
      sql: `SELECT ${RECONCILE_BUCKET} AS bucket, count() AS pages, countIf(f.inspected_ms > 0) AS inspected, countIf(f.fetches > 0) AS fetched
FROM (${facts.sql}) AS f GROUP BY bucket`,
      params: facts.params,
      row: z.object({ bucket: z.string(), pages: z.number(), inspected: z.number(), fetched: z.number() }),
    }),
    reader.read({
      name: 'search_reconcile.examples',
      sql: `SELECT ${FACTS}, ${RECONCILE_BUCKET} AS bucket FROM (${facts.sql}) AS f
ORDER BY impressions DESC, fetches DESC, path
LIMIT {examples: UInt32} BY bucket`,
      params: { ...facts.params, examples },
      row: factRow,
    }),
  ]);
  return {
    inspected: counts.reduce((sum, row) => sum + row.inspected, 0),
    fetched: counts.reduce((sum, row) => sum + row.fetched, 0),
    counts: new Map(counts.map(({ bucket, pages: count }) => [bucket, count])),
    pages,
  };
}
