import type { z } from '@hono/zod-openapi';
import type { Crawl } from '../../control/domain/model.js';
import type { ClickHouseReader } from '../../store/client.js';
import { roundedRank } from '../crawls/crawl-figures.js';
import { type CrawledUrl, readCrawledUrl, readFindingsOf, readLinkingPaths } from '../crawls/crawled-url.js';
import { orNull } from '../search/search-figures.js';
import { MOST_LINKING, type urlCrawl } from './url-report-sections.js';

/** The crawl in a URL's report: the latest ready one. */
export type ReportedCrawl = Pick<Crawl, 'id' | 'websiteId' | 'completedAt'>;

/** @param crawl null: the website has no ready crawl. @throws as ClickHouseReader.read */
export async function readUrlCrawl(
  reader: ClickHouseReader,
  crawl: ReportedCrawl | null,
  path: string,
): Promise<z.input<typeof urlCrawl>> {
  if (crawl === null) return nothing;
  const found = await readCrawledUrl(reader, { websiteId: crawl.websiteId, crawlId: crawl.id }, path);
  if (found === 'missing_results') return { ...nothing, reason: 'missing_results' };
  const head = { available: true, reason: null, crawl_id: crawl.id, completed_at: crawl.completedAt };
  if (found === null) return { ...nothing, ...head, in_crawl: false };
  const of = { websiteId: crawl.websiteId, crawlId: crawl.id };
  const [linking, findings] = await Promise.all([
    readLinkingPaths(reader, of, found.page, MOST_LINKING),
    readFindingsOf(reader, of, found.page),
  ]);
  return {
    ...nothing,
    ...head,
    in_crawl: true,
    ...toFigures(found),
    linked_from: linking.map(({ path: from }) => from),
    findings: findings.map(({ finding, problem }) => ({ key: finding, problem })),
  };
}

function toFigures(found: CrawledUrl) {
  return {
    ...(found.status > 0 && { status: found.status, indexable: found.indexable }),
    ...(found.is_ranked && {
      depth: found.depth < 0 ? null : found.depth,
      inlinks: found.inlinks,
      outlinks_internal: found.outlinks,
      pagerank: roundedRank(found.pagerank),
    }),
    canonical: orNull(found.canonical),
    redirect_to: orNull(found.redirect_to),
  };
}

const nothing: z.input<typeof urlCrawl> = {
  ...{ available: false, in_crawl: null, crawl_id: null, completed_at: null, status: null, depth: null },
  ...{ inlinks: null, outlinks_internal: null, pagerank: null, indexable: null, canonical: null },
  reason: 'no_crawl',
  redirect_to: null,
  linked_from: null,
  findings: null,
};
