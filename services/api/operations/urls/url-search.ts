import { z } from '@hono/zod-openapi';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count, loggedPath, searchFetchCount } from '../../../../shared/reads/answer/figures.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import { crawlBasis } from '../../../../shared/reads/bots/crawl-basis.js';
import { readCrawlBasis } from '../../../../shared/reads/bots/read-crawl-basis.js';
import { readPagesOfCrawl } from '../../../../shared/reads/crawls/crawled-pages.js';
import { searchKnownPaths } from '../../../../shared/reads/seo/fetched-paths.js';
import { readImportanceBuild } from '../../../../shared/reads/seo/page-importance-sql.js';
import { countListed, listedSince } from '../../../../shared/reads/sitemaps/listed-paths.js';
import {
  sitemapMembership,
  sitemapSnapshot,
  toMoment,
  toSitemapMembership,
  toSitemapSnapshot,
} from '../../../../shared/reads/sitemaps/sitemap-membership.js';
import {
  readMembership,
  readSitemapState,
  type SitemapState,
} from '../../../../shared/reads/sitemaps/sitemaps-sql.js';
import { readByTexts } from '../../../../shared/reads/sql/text-batches.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

const foundUrl = z.object({
  path: loggedPath,
  source: z.enum(['sitemap', 'crawl_discovered', 'crawl']).openapi({
    description:
      'Origin of the URL: listed in a sitemap; else fetched by a search crawler; else found by the crawl of the site.',
  }),
  ...sitemapMembership,
  crawls: searchFetchCount,
  last_crawled: instant.nullable().openapi({ description: 'Last fetch; null: none.' }),
  last_bot: z
    .string()
    .nullable()
    .openapi({ description: 'Crawler of the last fetch.', example: 'Googlebot' }),
  crawl_status_code: z.int().nullable().openapi({
    description:
      'Status in the crawl of the site; null if it did not fetch the URL, or if there is no crawl.',
  }),
  indexable: z.boolean().nullable().openapi({
    description:
      'Whether the URL is indexable in the crawl of the site; null if it did not fetch the URL, or if there is no crawl.',
  }),
});

export interface UrlSearch {
  /** As in `PathSearch`. */
  readonly fragment: string;
  readonly limit: number;
  /** The latest ready crawl of the site; null: none. */
  readonly crawlId: string | null;
}

export const urlSearch = standaloneAnswer({
  schema: z.object({
    query: z.string().openapi({ description: 'Searched text: q without its origin and query string.' }),
    results: z.array(foundUrl).openapi({
      description:
        'URLs that begin with the query, then URLs that contain it; each by most fetches, then by path. The case of ASCII letters is ignored.',
    }),
    total_matches: count('Matching URLs, also beyond the limit.'),
    crawl_basis: crawlBasis,
    sources: z
      .object({
        sitemap_urls: z.int().nullable().openapi({
          description: 'URLs that the sitemaps list; null if none was read yet.',
        }),
        crawl: z.string().nullable().openapi({
          description: 'Id of the searched crawl of the site; null if there is none.',
        }),
      })
      .openapi({ description: 'Searched data besides the fetches of crawlers.' }),
    sitemap_snapshot: z.object(sitemapSnapshot).openapi({ description: 'Last read of the sitemaps.' }),
  }),
  async read(reader, { websiteId, now }, search: UrlSearch) {
    const [build, state, basis] = await Promise.all([
      readImportanceBuild(reader, websiteId, now),
      readSitemapState(reader, websiteId),
      readCrawlBasis(reader, websiteId, now),
    ]);
    const since = listedSince(state);
    const [{ matches, paths }, listed] = await Promise.all([
      searchKnownPaths(reader, { websiteId, now, basis, build }, { ...search, listedSince: since }),
      since === null ? null : countListed(reader, websiteId, since),
    ]);
    const found = paths.map(({ path }) => path);
    const { crawlId } = search;
    const [memberships, pages] = await Promise.all([
      state === null ? null : readMemberships(reader, websiteId, found, state),
      crawlId === null ? null : readPagesOfCrawl(reader, { websiteId, crawlId }, found),
    ]);
    return {
      query: search.fragment,
      results: paths.map(({ path, crawled }) => {
        const membership = memberships?.get(path);
        const page = pages?.get(path);
        return {
          path,
          source: sourceOf(membership?.status === 'present', crawled !== null),
          ...toSitemapMembership(membership),
          crawls: crawled?.crawls ?? 0,
          last_crawled: toMoment(crawled?.lastCrawled ?? null),
          last_bot: crawled?.lastBot ?? null,
          crawl_status_code: page?.status || null,
          indexable: page?.indexable ?? null,
        };
      }),
      total_matches: matches,
      crawl_basis: basis,
      sources: { sitemap_urls: listed, crawl: crawlId },
      sitemap_snapshot: toSitemapSnapshot(state),
    };
  },
});

function sourceOf(isListed: boolean, wasFetched: boolean): z.output<typeof foundUrl>['source'] {
  if (isListed) return 'sitemap';
  return wasFetched ? 'crawl_discovered' : 'crawl';
}

async function readMemberships(
  reader: ClickHouseReader,
  websiteId: string,
  paths: readonly string[],
  state: SitemapState,
) {
  return new Map(
    await readByTexts(paths, async (batch) => [...(await readMembership(reader, websiteId, batch, state))]),
  );
}
