import { z } from 'zod';
import type { CrawlOf } from '../../../shared/reads/crawls/findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from '../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { createLinkGraphBuilder, type LinkGraph, NOFOLLOW, REDIRECT } from './link-graph.js';

/** Pages whose links one statement reads: a page has some thousands at most, so that an answer is a few megabytes. */
const PAGES_AT_ONCE = 1_000;
const KINDS = 4;

const row = z.object({ from_page: z.number(), links: z.array(z.number()) });

/** All links of a crawl, without its canonicals. @param pages how many the crawl knows. @throws as ClickHouseReader.read */
export async function readLinkGraph(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  pages: number,
): Promise<LinkGraph> {
  const builder = createLinkGraphBuilder(pages);
  for (let from = 0; from < pages; from += PAGES_AT_ONCE) {
    const rows = await reader.read({
      name: 'crawl.links',
      // A link that was stored twice stands beside itself once sorted, and the builder leaves the second out.
      sql: `SELECT from_page, arraySort(groupArray(to_page * ${KINDS} + multiIf(kind = 'redirect', ${REDIRECT}, nofollow, ${NOFOLLOW}, 0))) AS links
FROM crawl_links
WHERE ${OF_CRAWL} AND kind IN ('a', 'redirect')
  AND from_page >= {from: UInt32} AND from_page < {before: UInt32}
GROUP BY from_page ORDER BY from_page`,
      params: { ...crawlParams(crawl), from, before: from + PAGES_AT_ONCE },
      row,
      caughtUpWith: ['crawl_links'],
    });
    for (const { from_page, links } of rows)
      builder.add(from_page, links.length, (index) => ({
        to: Math.floor(links[index]! / KINDS),
        kind: links[index]! % KINDS,
      }));
  }
  return builder.build();
}
