import { z } from 'zod';
import { inPieces } from '../../pacing/in-pieces.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type CrawlQuestion, readPagesWithHits } from './crawl-hits.js';
import { crawlParams, OF_CRAWL } from './findings/of-crawl.js';

/** Findings of a crawl with the requests for their pages (spec §4.6). */

const count = z.number();
const auditRow = z.object({
  finding: z.string(),
  /** Pages of the finding, and hits of verified search crawlers on their paths; each path counts once. */
  pages: count,
  bot_hits: count,
  /** The same hits over all findings. */
  all_hits: count,
  page: z.number(),
  path: z.string(),
  url: z.string(),
  status: z.number(),
  problem: z.string(),
  value: z.number(),
  text: z.string(),
  examples: z.array(z.number()),
  search_hits: count,
  human_hits: count,
  last_search_ms: z.number(),
});
export type AuditRow = z.output<typeof auditRow>;

/**
 * The first rows of each finding, most hits of verified search crawlers first, then by page. Findings without rows are absent. @throws as
 * ClickHouseReader.read
 */
export function readAuditRows(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  limit: number,
): Promise<AuditRow[]> {
  return readPagesWithHits(reader, question, 'everyone', (pages) => ({
    name: 'crawl_audit.rows',
    sql: `SELECT finding, count() OVER of_finding AS pages, sumIf(search_hits, is_first_of_finding) OVER of_finding AS bot_hits,
  sumIf(search_hits, is_first_of_all) OVER () AS all_hits, page, path, url, status, problem, value, text, examples, search_hits, human_hits, last_search_ms
FROM (
  SELECT f.finding AS finding, f.page AS page, f.problem AS problem, f.value AS value, f.text AS text, f.examples AS examples,
    q.path AS path, q.url AS url, q.status AS status, q.search_hits AS search_hits, q.human_hits AS human_hits, q.last_search_ms AS last_search_ms,
    row_number() OVER (PARTITION BY f.finding, q.path ORDER BY f.page) = 1 AS is_first_of_finding,
    row_number() OVER (PARTITION BY q.path ORDER BY f.finding, f.page) = 1 AS is_first_of_all
  FROM (SELECT finding, page, problem, value, text, examples FROM crawl_findings FINAL WHERE ${OF_CRAWL}) AS f
  INNER JOIN (${pages.sql}) AS q ON q.page = f.page
)
WINDOW of_finding AS (PARTITION BY finding)
ORDER BY search_hits DESC, page
LIMIT {limit: UInt32} BY finding`,
    params: { ...pages.params, limit },
    row: auditRow,
  }));
}

/** Page numbers in one statement. */
const MOST_NUMBERS = 10_000;

/** Paths of pages by their numbers. @throws as ClickHouseReader.read */
export async function readPathsOf(
  reader: ClickHouseReader,
  { scope, crawlId }: CrawlQuestion,
  pages: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const wanted of inPieces([...new Set(pages)], MOST_NUMBERS)) {
    const rows = await reader.read({
      name: 'crawl_audit.paths',
      sql: `SELECT page, any(path) AS path FROM crawl_pages WHERE ${OF_CRAWL} AND page IN {pages: Array(UInt32)} GROUP BY page`,
      params: { ...crawlParams({ websiteId: scope.websiteId, crawlId }), pages: wanted },
      row: z.object({ page: z.number(), path: z.string() }),
    });
    for (const { page, path } of rows) found.set(page, path);
  }
  return found;
}
