import { writeCrawlLinks, writeCrawlPages } from '../../services/jobs/crawls/rows/crawl-writes.js';
import type { CrawlLink, CrawlOf, CrawlPage } from '../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouse } from '../../shared/store/client.js';

/** Stores crawls in the crawler's form; tests give the differences of each page. */

const ORIGIN = 'https://www.example.com';

/** A sound page with unique texts; `given` has the differences. Its URL follows from its path. */
export function crawledPage(page: number, path: string, given: Partial<CrawlPage> = {}): CrawlPage {
  const url = `${ORIGIN}${path}`;
  return {
    ...{ page, url, path, foundBy: page === 0 ? 'home' : 'link', inSitemap: false, status: 200, error: '' },
    ...{
      robotsAllowed: true,
      redirectTo: '',
      contentType: 'text/html; charset=utf-8',
      bytes: 20_000,
      ms: 80,
    },
    ...{ indexable: true, unindexableReason: '', canonical: url, metaRobots: '', xRobotsTag: '' },
    ...{
      titles: 1,
      title: `All about number ${page}`,
      description: `What there is to say of number ${page}`,
    },
    ...{ h1s: 1, h1: `Number ${page}`, lang: 'en', words: 400, hreflangs: [], linksInternal: 3 },
    ...{ linksExternal: 0, digest: `${page}`, fetchedAt: Date.UTC(2026, 10, 20) },
    ...given,
  };
}

/** The differences of redirects. */
export const redirectTo = (path: string, status = 301): Partial<CrawlPage> => ({
  ...{
    status,
    redirectTo: path.startsWith('/') ? `${ORIGIN}${path}` : path,
    ...noPage,
    unindexableReason: 'redirect',
  },
});
export const failed = (status: number): Partial<CrawlPage> => ({
  ...noPage,
  status,
  unindexableReason: 'status',
});
export const noindex: Partial<CrawlPage> = {
  ...{ indexable: false, unindexableReason: 'noindex', metaRobots: 'noindex' },
};
export const blocked: Partial<CrawlPage> = {
  ...{ robotsAllowed: false, fetchedAt: 0 },
};
const noPage: Partial<CrawlPage> = {
  ...{ indexable: false, canonical: '', titles: 0, title: '', description: '', h1s: 0, h1: '', lang: '' },
  ...{ words: 0, linksInternal: 0 },
};

export const url = (path: string) => `${ORIGIN}${path}`;

type Link = readonly [from: number, to: number, kind?: CrawlLink['kind'], nofollow?: boolean];

export interface StoredCrawl {
  readonly pages: readonly CrawlPage[];
  /** In addition to links of redirects and canonicals, which follow from the pages. */
  readonly links?: readonly Link[];
}

/** All links of the crawl. */
export function linksOf({ pages, links = [] }: StoredCrawl): CrawlLink[] {
  const numbers = new Map(pages.map((page) => [page.url, page.page]));
  const named = (kind: CrawlLink['kind'], from: number, to: string): Link[] => {
    const number = numbers.get(to);
    return number === undefined || (kind === 'canonical' && number === from) ? [] : [[from, number, kind]];
  };
  const following = pages.flatMap(({ page, redirectTo: leads, canonical }) => [
    ...named('redirect', page, leads),
    ...named('canonical', page, canonical),
  ]);
  return [...links, ...following].map(([from, to, kind = 'a', nofollow = false]) => ({
    ...{ from, to, kind, nofollow, anchor: kind === 'a' ? `to ${to}` : '' },
  }));
}

/** Stores pages first as known, then as fetched, like the crawler. */
export async function storeCrawl(clickhouse: ClickHouse, crawl: CrawlOf, stored: StoredCrawl): Promise<void> {
  const { pages } = stored;
  const known = pages.map((page) =>
    crawledPage(page.page, page.path, { url: page.url, ...blocked, indexable: false }),
  );
  await writeCrawlPages(
    clickhouse,
    crawl,
    known.map((page) => ({ ...page, robotsAllowed: true })),
  );
  await writeCrawlPages(clickhouse, crawl, pages);
  const links = linksOf(stored);
  if (links.length > 0) await writeCrawlLinks(clickhouse, crawl, links);
}
