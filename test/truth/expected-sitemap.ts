import { byText, DAY, group, iso, lastSeen, type Rows } from './counting.js';
import { type AllRows, basisOf, countedFetches } from './expected-urls.js';

/** seo/sitemap, counted one by one. */

const PAGES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'];
const isServed = (status: number) => (status >= 200 && status < 300) || status === 304;

export interface ListedPage {
  readonly path: string;
  readonly query: string;
  readonly url: string;
  readonly sitemap: string;
  readonly lastmod: number | null;
  readonly firstSeen: number;
}

interface Page {
  readonly path: string;
  readonly query: string;
  readonly listed: ListedPage | undefined;
  /** Newest last. */
  readonly crawls: Rows;
  readonly unproved: Rows;
}

const lastOf = ({ crawls }: Page) => crawls.at(-1)?.timestamp ?? 0;

/**
 * Lists every page that is listed or that a search crawler fetched in the last 90 days.
 *
 * A listed page has the requests with its query; the other queries of its path are separate pages. All
 * requests of a path without a listed URL are one page. Unverified requests count by the path.
 */
function pagesOf(listed: readonly ListedPage[], all: AllRows): Page[] {
  const upToNow = { ...all, rows: all.rows.filter(({ timestamp }) => timestamp < all.now) };
  const byPath = group(countedFetches(upToNow, basisOf(upToNow)), ({ path }) => path);
  const unprovedByPath = group(countedFetches(upToNow, 'unproved'), ({ path }) => path);
  const unprovedOf = (path: string) => unprovedByPath.get(path) ?? [];
  const inOrder = (some: Rows) => some.toSorted((a, b) => a.timestamp - b.timestamp);
  const own = listed.map((page) => ({
    ...{ path: page.path, query: page.query, listed: page, unproved: unprovedOf(page.path) },
    crawls: inOrder((byPath.get(page.path) ?? []).filter(({ query }) => query === page.query)),
  }));
  const others = [...byPath].flatMap(([path, some]) => {
    const ofPath = new Set(listed.filter((page) => page.path === path).map(({ query }) => query));
    const byQuery = group(some, ({ query }) => (ofPath.size === 0 ? '' : query));
    return [...byQuery]
      .filter(([query]) => !ofPath.has(query))
      .map(([query, crawls]) => {
        return { path, query, listed: undefined, crawls: inOrder(crawls), unproved: unprovedOf(path) };
      });
  });
  return [...own, ...others];
}

const statuses: Record<string, (page: Page, now: number) => boolean> = {
  all: ({ listed }) => listed !== undefined,
  never_crawled: ({ listed, crawls }) => listed !== undefined && crawls.length === 0,
  recently_crawled: (page, now) =>
    page.listed !== undefined && page.crawls.length > 0 && lastOf(page) >= now - 30 * DAY,
  stale: (page, now) => page.listed !== undefined && page.crawls.length > 0 && lastOf(page) < now - 30 * DAY,
  not_in_sitemap: ({ path, listed, crawls }) =>
    listed === undefined &&
    path.startsWith('/') &&
    PAGES.includes(crawls.at(-1)?.file_type ?? '') &&
    isServed(crawls.at(-1)!.status),
};

const sorts: Record<string, (page: Page) => number> = {
  path: () => 0,
  times_crawled: ({ crawls }) => crawls.length,
  last_crawled: lastOf,
  first_seen: ({ listed }) => listed?.firstSeen ?? 0,
};

export interface CoverageAsked {
  readonly status: string;
  readonly sort: string;
  readonly descending: boolean;
  readonly size: number;
}

/** @param listed result of the last complete fetch */
export function sitemapCoverage(
  listed: readonly ListedPage[],
  all: AllRows & { readonly domain: string },
  { status, sort, descending, size }: CoverageAsked,
) {
  const pages = pagesOf(listed, all);
  const of = (name: string) => pages.filter((page) => statuses[name]!(page, all.now));
  const direction = descending ? -1 : 1;
  const sorted = of(status).sort(
    (a, b) =>
      direction * (sorts[sort]!(a) - sorts[sort]!(b)) ||
      (sort === 'path' ? direction : 1) * (byText(a.path, b.path) || byText(a.query, b.query)),
  );
  return {
    crawl_basis: basisOf(all),
    totals: Object.fromEntries(Object.keys(statuses).map((name) => [name, of(name).length])),
    urls: sorted.slice(0, size).map((page) => toUrl(page, all.domain)),
    total: sorted.length,
    total_pages: Math.ceil(sorted.length / size),
  };
}

function toUrl({ path, query, listed, crawls, unproved }: Page, domain: string) {
  const last = crawls.at(-1);
  return {
    url: listed?.url ?? `https://${domain}${path}${query === '' ? '' : `?${query}`}`,
    path,
    query,
    status: last === undefined ? 'not_crawled' : 'crawled',
    in_sitemap: listed !== undefined,
    last_crawl_date: last === undefined ? null : iso(last.timestamp),
    last_crawled_by: last?.bot_name ?? null,
    crawl_count: crawls.length,
    unproved_crawl_count: unproved.length,
    last_unproved_crawl_date: unproved.length === 0 ? null : lastSeen(unproved),
    content_type: last?.file_type ?? null,
    response_code: last?.status ?? null,
    first_seen: listed === undefined ? null : iso(listed.firstSeen),
    lastmod: listed?.lastmod == null ? null : iso(listed.lastmod),
    sitemap: listed?.sitemap ?? null,
  };
}
