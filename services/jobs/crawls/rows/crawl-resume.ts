import { z } from 'zod';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** The stored rows of an earlier attempt, for resuming a crawl. */

const storedPage = z.object({
  page: z.number(),
  url: z.string(),
  found_by: z.string(),
  status: z.number(),
  fetched_at: z.number(),
  /** The first page that linked to it; itself if there is none. */
  found_on: z.number(),
});
export type StoredCrawlPage = z.infer<typeof storedPage>;

/** Pages per read. URLs have at most 1,100 characters. */
const PAGES_AT_ONCE = 10_000;

/** In order of their numbers, each once; `fetched_at` in milliseconds since the epoch, 0: not fetched. */
export async function readStoredCrawl(reader: ClickHouseReader, crawl: CrawlOf): Promise<StoredCrawlPage[]> {
  const pages: StoredCrawlPage[] = [];
  for (;;) {
    const more = await readFrom(reader, crawl, pages.length);
    pages.push(...more);
    if (more.length < PAGES_AT_ONCE) return pages;
  }
}

/** An estimate of the stored links: a link that was stored twice may count twice. @throws as ClickHouseReader.read */
export async function countStoredLinks(reader: ClickHouseReader, crawl: CrawlOf): Promise<number> {
  const [counted] = await reader.read({
    name: 'crawl.stored_links',
    sql: `SELECT count() AS links FROM crawl_links WHERE ${OF_CRAWL}`,
    params: crawlParams(crawl),
    caughtUpWith: ['crawl_links'],
    row: z.object({ links: z.number() }),
  });
  return counted!.links;
}

function readFrom(reader: ClickHouseReader, crawl: CrawlOf, first: number) {
  return reader.read({
    name: 'crawl.resume',
    sql: `SELECT p.page AS page, p.url AS url, p.found_by AS found_by, p.status AS status, p.at AS fetched_at,
  if(l.to_page = p.page AND l.linked > 0, l.found_on, p.page) AS found_on
FROM (
  SELECT page, any(url) AS url, any(crawl_pages.found_by) AS found_by, argMax(crawl_pages.status, fetched_at) AS status,
    toUnixTimestamp64Milli(max(fetched_at)) AS at
  FROM crawl_pages
  WHERE ${OF_CRAWL}
    AND page >= {first: UInt32} AND page < {end: UInt32}
  GROUP BY page
) AS p
LEFT JOIN (
  SELECT to_page, min(from_page) AS found_on, count() AS linked FROM crawl_links
  WHERE ${OF_CRAWL}
    AND to_page >= {first: UInt32} AND to_page < {end: UInt32}
  GROUP BY to_page
) AS l ON l.to_page = p.page
ORDER BY page`,
    params: { ...crawlParams(crawl), first, end: first + PAGES_AT_ONCE },
    caughtUpWith: ['crawl_pages', 'crawl_links'],
    row: storedPage,
  });
}
