import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { hasCrawlRows, readCrawledPage } from '../queries/crawled-page.js';
import { moment } from './instant.js';
import { available, flag, fraction, reason, text, whole } from './url-figures.js';

/** The section of a URL's report from the latest crawl of the site (spec §4.9). */

export const urlCrawl = z
  .object({
    available,
    reason: reason(['no_crawl', 'missing_results']),
    in_crawl: flag('Whether the crawl found the URL.'),
    crawl_id: text('The latest crawl that is ready.'),
    completed_at: moment('When it ended.'),
    status: whole('Status that the crawl was answered.'),
    depth: whole('Links from the home page.'),
    inlinks: whole('Links to the URL from the site.'),
    outlinks_internal: whole('Links from the URL to the site.'),
    pagerank: fraction('0 to 1 within the site; 1 is the page that most is linked to.'),
    indexable: flag('Whether search engines may list it.'),
    canonical: text('The canonical URL that the page names.'),
    redirect_to: text('Where it redirects to.'),
  })
  .openapi({ description: 'What the crawl of the site found.' });

/** Of the crawl that the section tells of. */
export interface UrlCrawlInput {
  readonly crawlId: string;
  /** ISO 8601 in UTC. */
  readonly completedAt: string | null;
}

/** @param crawl null: there is none. @throws as ClickHouseReader.read */
export async function readUrlCrawl(
  reader: ClickHouseReader,
  websiteId: string,
  crawl: UrlCrawlInput | null,
  path: string,
): Promise<z.input<typeof urlCrawl>> {
  if (crawl === null) return { ...nothing, available: false, reason: 'no_crawl' };
  const of = { websiteId, crawlId: crawl.crawlId };
  const told = { ...nothing, crawl_id: crawl.crawlId, completed_at: crawl.completedAt };
  const page = await readCrawledPage(reader, of, path);
  if (page === null)
    return (await hasCrawlRows(reader, of))
      ? { ...told, available: true, reason: null, in_crawl: false }
      : { ...told, available: false, reason: 'missing_results' };
  const { status, depth, inlinks, outlinks, pagerank, indexable, canonical, redirect_to } = page;
  return {
    ...{ ...told, available: true, reason: null, in_crawl: true },
    // 0: it was not asked, or gave no answer.
    ...{ status: status || null, depth: depth < 0 ? null : depth },
    ...{ inlinks, outlinks_internal: outlinks, pagerank, indexable },
    ...{ canonical: canonical || null, redirect_to: redirect_to || null },
  };
}

const nothing = {
  ...{ in_crawl: null, crawl_id: null, completed_at: null, status: null, depth: null },
  ...{ inlinks: null, outlinks_internal: null, pagerank: null, indexable: null, canonical: null },
  redirect_to: null,
};
