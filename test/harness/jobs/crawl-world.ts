import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { z } from 'zod';
import { crawlSite } from '../../../services/jobs/crawls/site/crawl-site.js';
import { openFetchSession } from '../../../services/jobs/crawls/site/fetch-session.js';
import type { CrawlOutcome, CrawlParts, SiteCrawl } from '../../../services/jobs/crawls/site/site-crawl.js';
import type { CrawlProgress } from '../../../shared/reads/crawls/crawl-progress.js';
import type { ClickHouseWriter } from '../../../shared/store/client.js';
import { startTestClickHouse } from '../clickhouse.js';
import type { SiteAnswer } from '../site/faulty-pages.js';
import { startSite } from '../site/start-site.js';

/** Crawls of invented websites, through the guarded fetcher into the store. */

export const ORIGIN = 'https://shop.example';

const pageRow = z.object({
  ...{ page: z.number(), url: z.string(), found_by: z.string(), in_sitemap: z.boolean(), status: z.number() },
  ...{
    error: z.string(),
    robots_allowed: z.boolean(),
    redirect_to: z.string(),
    bytes: z.number(),
    ms: z.number(),
  },
  ...{ indexable: z.boolean(), unindexable_reason: z.string(), title: z.string(), words: z.number() },
  ...{ canonical: z.string(), links_internal: z.number(), links_external: z.number(), fetched: z.boolean() },
});
export type PageRow = z.infer<typeof pageRow>;

export async function startCrawlWorld() {
  const { clickhouse, stop } = await startTestClickHouse();
  let skipped = 0;
  const now = () => Date.now() + skipped;
  let crawls = 0;

  return {
    clickhouse,
    stop,
    newCrawl: (given: Partial<SiteCrawl> = {}): SiteCrawl => ({
      ...{ websiteId: 'shop', crawlId: `crawl-${++crawls}`, domain: 'shop.example', seeds: [] },
      ...{ maxPages: 5_000, queryKeys: [], renderJs: false, ...given },
    }),
    /** Waiting times pass at once. */
    async crawl(
      site: { answer(place: string): SiteAnswer },
      crawl: SiteCrawl,
      given: {
        writer?: ClickHouseWriter;
        signal?: AbortSignal;
        parts?: Partial<CrawlParts>;
        onProgress?: (progress: CrawlProgress) => void;
        /** Default: only that of https://shop.example. */
        origins?: readonly string[];
      } = {},
    ): Promise<{ outcome: CrawlOutcome | string; requests: readonly string[]; mostAtOnce: number }> {
      const server = await startSite(site);
      const origins = new Map((given.origins ?? [ORIGIN]).map((origin) => [origin, server.port]));
      const resolver = { resolve4: async () => [], resolve6: async () => [] };
      const parts: CrawlParts = {
        openFetchSession: () =>
          openFetchSession({ userAgent: 'LoglaneBot', resolver, loopback: { origins } }),
        ...{ writer: given.writer ?? clickhouse, reader: clickhouse, now, requestsPerSecond: Infinity },
        async pause(ms, signal) {
          skipped += ms;
          await turn();
          signal.throwIfAborted();
        },
        logger: pino({ level: 'silent' }),
        ...given.parts,
      };
      const signal = given.signal ?? new AbortController().signal;
      const outcome = await crawlSite(crawl, parts, signal, given.onProgress ?? (() => {})).catch(
        (error: unknown) => String(error),
      );
      await server.stop();
      return { outcome, requests: server.requests, mostAtOnce: server.mostAtOnce() };
    },
    pages: ({ crawlId }: SiteCrawl): Promise<PageRow[]> =>
      clickhouse.read({
        name: 'test.pages',
        sql: `SELECT ${Object.keys(pageRow.shape).join(', ').replace(', fetched', ', (toUnixTimestamp64Milli(fetched_at) > 0)::Bool AS fetched')} FROM crawl_pages FINAL
WHERE crawl_id = {crawl_id: String} ORDER BY page`,
        params: { crawl_id: crawlId },
        row: pageRow,
      }),
    async links({ crawlId }: SiteCrawl): Promise<string[]> {
      const rows = await clickhouse.read({
        name: 'test.links',
        sql: `SELECT concat(f.url, ' ', l.kind, if(l.nofollow, ' nofollow ', ' '), t.url) AS link
FROM (SELECT * FROM crawl_links FINAL WHERE crawl_id = {crawl_id: String}) AS l
JOIN (SELECT page, any(url) AS url FROM crawl_pages WHERE crawl_id = {crawl_id: String} GROUP BY page) AS f ON f.page = l.from_page
JOIN (SELECT page, any(url) AS url FROM crawl_pages WHERE crawl_id = {crawl_id: String} GROUP BY page) AS t ON t.page = l.to_page
ORDER BY link`,
        params: { crawl_id: crawlId },
        row: z.object({ link: z.string() }),
      });
      return rows.map(({ link }) => link);
    },
  };
}
