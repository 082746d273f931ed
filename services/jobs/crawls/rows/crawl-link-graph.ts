import { z } from 'zod';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { createLinkGraphBuilder, type LinkGraph, NOFOLLOW, REDIRECT } from './link-graph.js';

/** Pages per statement. A page has some thousand links at most, so an answer is a few megabytes. */
const PAGES_AT_ONCE = 1_000;
const KINDS = 4;

const row = z.object({ from_page: z.number(), links: z.array(z.number()) });

/** All links of a crawl except canonicals. @param pages the number of known pages. @throws as ClickHouseReader.read */
export async function readLinkGraph(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  pages: number,
): Promise<LinkGraph> {
  const builder = createLinkGraphBuilder(pages);
  for (let from = 0; from < pages; from += PAGES_AT_ONCE) {
    const rows = await reader.read({
      name: 'crawl.links',
      // After sorting, a link that was stored twice is next to its copy, and the builder ignores the second.
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
