import { z } from '@hono/zod-openapi';
import { count } from '../answer/figures.js';
import { moment } from '../answer/instant.js';
import type { ReadCrawl } from './read-crawl.js';

/** Fields that the three answers about a crawl share. */

export const crawlHead = {
  available: z.boolean().openapi({ description: 'false: see reason; there are no figures.' }),
  reason: z
    .enum(['no_crawl'])
    .nullable()
    .openapi({ description: 'no_crawl: no crawl of the website is ready yet.' }),
  crawl: z
    .object({
      crawl_id: z.string().openapi({ example: '20261120T031500_k3x9w2ab' }),
      source: z
        .enum(['service_crawler', 'upload'])
        .openapi({ description: 'Source of the crawl: this service, or an upload.' }),
      url_count: count('Pages that it fetched.'),
      completed_at: moment('Time at which it ended.'),
    })
    .nullable()
    .openapi({ description: 'The crawl of this answer.' }),
};

export function toCrawlHead(crawl: ReadCrawl) {
  const { crawlId, source, urlCount, completedAt } = crawl;
  return {
    available: true,
    reason: null,
    crawl: { crawl_id: crawlId, source, url_count: urlCount, completed_at: completedAt },
  };
}

export const noCrawl = { available: false, reason: 'no_crawl' as const, crawl: null };

export const verifiedSearchHits = count(
  'Requests of verified search crawlers for its path, with and without a query string.',
);
export const humanHits = count('Requests of people for its path.');
export const crawledUrl = z.string().openapi({ description: 'The complete URL, as crawled.' });
export const clickDepth = z.int().nullable().openapi({
  description: 'Links from the home page; a redirect is not a link. null: unreachable from it.',
});
export const inlinkCount = count('Other pages that link or redirect to it.');

export function toDepth(depth: number): number | null {
  return depth < 0 ? null : depth;
}

/** PageRank with six decimals, as in answers. */
export function roundedRank(pagerank: number): number {
  return Math.round(pagerank * 1e6) / 1e6;
}
