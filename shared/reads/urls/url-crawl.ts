import type { z } from '@hono/zod-openapi';
import type { Crawl } from '../../control/domain/model.js';
import type { ClickHouseReader } from '../../store/client.js';
import { roundedRank } from '../crawls/crawl-figures.js';
import {
  hasPages,
  type PageResults,
  type RepresentativePage,
  readPageResults,
  representativePage,
} from '../crawls/crawled-url.js';
import { orNull } from '../search/search-figures.js';
import type { Part } from '../sql/read-together.js';
import { MOST_LINKING, type urlCrawl } from './url-report-sections.js';

/** The crawl in a URL's report: the latest ready one. */
export type ReportedCrawl = Pick<Crawl, 'id' | 'websiteId' | 'completedAt'>;

const crawlOf = ({ websiteId, id }: ReportedCrawl) => ({ websiteId, crawlId: id });

/** The page of the crawl; null: the website has no ready crawl. */
export function crawledPage(crawl: ReportedCrawl | null, path: string): Part<RepresentativePage> | null {
  return crawl === null ? null : representativePage(crawlOf(crawl), path);
}

/** @param found the page, from `crawledPage`; undefined: none. @throws as ClickHouseReader.read */
export async function readUrlCrawl(
  reader: ClickHouseReader,
  crawl: ReportedCrawl | null,
  found: RepresentativePage | undefined,
): Promise<z.input<typeof urlCrawl>> {
  if (crawl === null) return nothing;
  const of = crawlOf(crawl);
  if (found === undefined && !(await hasPages(reader, of))) return { ...nothing, reason: 'missing_results' };
  const head = { available: true, reason: null, crawl_id: crawl.id, completed_at: crawl.completedAt };
  if (found === undefined) return { ...nothing, ...head, in_crawl: false };
  const results = await readPageResults(reader, of, { page: found.page, mostLinking: MOST_LINKING });
  return {
    ...nothing,
    ...head,
    in_crawl: true,
    ...toFigures(found, results),
    linked_from: [...results.linkedFrom],
    findings: results.findings.map(({ finding, problem }) => ({ key: finding, problem })),
  };
}

function toFigures(found: RepresentativePage, { rank }: PageResults) {
  return {
    ...(found.status > 0 && { status: found.status, indexable: found.indexable }),
    ...(rank !== null && {
      depth: rank.depth < 0 ? null : rank.depth,
      inlinks: rank.inlinks,
      outlinks_internal: rank.outlinks,
      pagerank: roundedRank(rank.pagerank),
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
