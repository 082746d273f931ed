import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { count, loggedPath, percentOf, sumsOf, twoDigits } from '../answer/figures.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import type { SearchConnection } from '../search/search-connection.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { crawlerPaths, paths } from '../sql/read-tables.js';
import {
  clickDepth,
  crawledUrl,
  crawlHead,
  inlinkCount,
  noCrawl,
  toCrawlHead,
  toDepth,
} from './crawl-figures.js';
import {
  type CrawlGroup,
  depthBuckets,
  inlinkBuckets,
  readCrawledPages,
  readOrphans,
} from './crawl-report-sql.js';
import type { ReadCrawl } from './read-crawl.js';

const bucketOf = (names: readonly string[]) =>
  z.object({
    bucket: z.string().openapi({ example: names[1]! }),
    pages: count('Indexable pages.'),
    crawled_pct: z
      .number()
      .openapi({ description: 'Percentage of them that verified search crawlers fetched.' }),
    hits_per_page: z.number().openapi({ description: 'Fetches of verified search crawlers per page.' }),
  });

export interface CrawlReportInput {
  /** null: no crawl is ready. */
  readonly crawl: ReadCrawl | null;
  /** null: the website has no search-performance source. */
  readonly connection: SearchConnection | null;
  /** Maximum pages of each list. */
  readonly limit: number;
}

/** A crawl compared with the logs: its pages that search crawlers fetch, and other pages that they fetch (spec §4.6). */
export const crawlReport = answer({
  schema: z.object({
    ...datedWindow,
    ...crawlHead,
    summary: z
      .object({
        pages_in_crawl: count('Pages that the crawl fetched.'),
        indexable_pages: count('Pages of the crawl that search engines may list.'),
        active: count('Indexable pages that verified search crawlers fetched in the window.'),
        ignored: count('Indexable linked pages that no verified search crawler fetched.'),
        ignored_but_claimed: count(
          'Ignored pages with unproved requests that claim to be of a search crawler. If no crawler can be verified, these may be real fetches.',
        ),
        verified_hits: count('Fetches of indexable pages by verified search crawlers.'),
        unproved_hits: count(
          'Unproved requests for indexable pages that claim to be of a search crawler. No other figure of the summary counts them.',
        ),
        orphans: count('Paths of pages that they fetched and that no page of the crawl links to.'),
        active_pct: z.number().openapi({ description: 'Percentage of indexable_pages that are active.' }),
      })
      .nullable(),
    ignored: z
      .array(
        z.object({
          path: loggedPath,
          url: crawledUrl,
          depth: clickDepth,
          inlinks: inlinkCount,
          impressions_28d: z.int().nullable().openapi({
            description:
              'Impressions in search results on the last 28 days of data; null: no search-performance source is connected.',
          }),
          search_hits: count(
            'Requests that claim to be of a search crawler and were neither verified nor disproved. There are no verified requests.',
          ),
        }),
      )
      .openapi({ description: 'Most impressions first, then most inlinks.' }),
    orphans: z
      .array(
        z.object({
          path: loggedPath,
          search_hits: count('Fetches by verified search crawlers.'),
          last_status: z.int().openapi({ description: 'Status of the last fetch.' }),
        }),
      )
      .openapi({ description: 'Most fetches first. Excludes files that are not pages, such as images.' }),
    by_depth: z.array(bucketOf(depthBuckets)).openapi({
      description: `Indexable pages by the number of links from the home page: ${depthBuckets.join(', ')}.`,
    }),
    by_inlinks: z.array(bucketOf(inlinkBuckets)).openapi({
      description: `Indexable pages by the number of pages that link to them: ${inlinkBuckets.join(', ')}.`,
    }),
  }),
  from: [[crawlerPaths], [paths]],
  async read(reader, scope, { crawl, connection, limit }: CrawlReportInput) {
    const dated = await dateWindow(reader, scope);
    if (crawl === null)
      return {
        ...dated.fields,
        ...noCrawl,
        summary: null,
        ignored: [],
        orphans: [],
        by_depth: [],
        by_inlinks: [],
      };
    const question = { scope: await withLateVerdicts(reader, scope), crawlId: crawl.crawlId };
    const [{ groups, ignored }, orphans] = await Promise.all([
      readCrawledPages(reader, question, { connection, limit }),
      readOrphans(reader, question, limit),
    ]);
    const all = sumOf(groups);
    return {
      ...dated.fields,
      ...toCrawlHead(crawl),
      summary: {
        pages_in_crawl: all.pages,
        indexable_pages: all.indexable,
        active: all.active,
        ignored: all.ignored,
        ignored_but_claimed: all.unproved,
        verified_hits: all.hits,
        unproved_hits: all.claimed_hits,
        orphans: orphans[0]?.orphans ?? 0,
        active_pct: percentOf(all.active, all.indexable),
      },
      ignored: ignored.map(({ path, url, depth, inlinks, impressions, claimed_hits }) => ({
        ...{ path, url, depth: toDepth(depth), inlinks },
        impressions_28d: connection === null ? null : impressions,
        search_hits: claimed_hits,
      })),
      orphans: orphans.map(({ path, hits, last_status }) => ({ path, search_hits: hits, last_status })),
      by_depth: depthBuckets.map((name, place) =>
        toBucket(
          name,
          groups.filter(({ depth_bucket }) => depth_bucket === place),
        ),
      ),
      by_inlinks: inlinkBuckets.map((name, place) =>
        toBucket(
          name,
          groups.filter(({ inlink_bucket }) => inlink_bucket === place),
        ),
      ),
    };
  },
});

const sumOf = (groups: readonly CrawlGroup[]) =>
  sumsOf(['pages', 'indexable', 'active', 'ignored', 'unproved', 'hits', 'claimed_hits'], groups);

function toBucket(bucket: string, groups: readonly CrawlGroup[]) {
  const { indexable, active, hits } = sumOf(groups);
  return {
    bucket,
    pages: indexable,
    crawled_pct: percentOf(active, indexable),
    hits_per_page: indexable === 0 ? 0 : twoDigits(hits / indexable),
  };
}
