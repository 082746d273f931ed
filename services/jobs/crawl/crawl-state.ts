import type { CrawlProgress } from '../../../shared/reads/crawls/crawl-progress.js';
import type { CrawlLink, CrawlPage } from '../../../shared/reads/crawls/findings/crawl-page.js';
import type { StoredCrawlPage } from '../crawl-rows/crawl-resume.js';
import { createCrawlRows } from './crawl-rows.js';
import { createFrontier, type FoundBy, type KnownPage } from './frontier.js';
import { type CrawledSite, linkTarget } from './page-url.js';
import { readPage, unfetchedPage } from './read-page.js';
import type { CrawlParts, SiteCrawl } from './site-crawl.js';
import type { Visit } from './visitor.js';

/** What a crawl knows: the frontier, and the rows that are not written yet. */
export interface CrawlState {
  /** When the first page was fetched by an earlier attempt, milliseconds since the epoch; null: none was. */
  readonly firstFetchedAt: number | null;
  /** Adds the home page and the seeds. @returns their URLs */
  begin(home: string): readonly string[];
  /** Adds what sitemaps list. @returns whether any of it is to be fetched */
  addListed(): boolean;
  next(): KnownPage | undefined;
  isOwn(url: string): boolean;
  take(page: KnownPage, visit: Visit): void;
  /** @returns whether anything was written. @throws as `ClickHouseWriter.insert` */
  flush(force?: boolean): Promise<boolean>;
  progress(): CrawlProgress;
  /** Pages with status 200. */
  answeredWell(): number;
  leftOut(): ReadonlyMap<string, number>;
}

interface StateParts {
  readonly crawl: SiteCrawl;
  readonly site: CrawledSite;
  /** By sitemaps. */
  readonly listed: ReadonlySet<string>;
  /** By an earlier attempt. */
  readonly stored: readonly StoredCrawlPage[];
}

export function createCrawlState(
  { crawl, site, listed, stored }: StateParts,
  { writer, now }: Pick<CrawlParts, 'writer' | 'now'>,
): CrawlState {
  const rows = createCrawlRows(writer, crawl, now);
  const frontier = createFrontier(
    { maxPages: crawl.maxPages },
    knownOf(stored),
    (number) => (stored[number]?.fetched_at ?? 0) > 0,
  );
  const before = stored.filter(({ fetched_at }) => fetched_at > 0);
  let fetched = before.length;
  let answeredWell = before.filter(({ status }) => status === 200).length;
  let listedAdded = false;

  /** @returns the page's number; null: it is left out */
  function add(url: string, depth: number, foundBy: FoundBy): number | null {
    const size = frontier.size();
    const number = frontier.add(url, depth, foundBy);
    if (typeof number !== 'number') return null;
    if (number === size) {
      const told = { inSitemap: listed.has(url), robotsAllowed: true };
      rows.know([unfetchedPage({ number, url, depth, foundBy }, told)]);
    }
    return number;
  }

  function take(known: KnownPage, visit: Visit): void {
    const inSitemap = listed.has(known.url);
    const unfetched = unfetchedPage(known, { inSitemap, robotsAllowed: visit.kind !== 'disallowed' });
    if (visit.kind === 'disallowed') {
      rows.add(unfetched, []);
      return;
    }
    const { page, links } = readPage(unfetched, visit.answer, { site, fetchedAt: visit.at });
    rows.add(page, [...numbered(page, links, known.depth + 1)]);
    fetched += 1;
    if (page.status === 200) answeredWell += 1;
  }

  function* numbered(
    page: CrawlPage,
    links: ReturnType<typeof readPage>['links'],
    depth: number,
  ): Generator<CrawlLink> {
    for (const { url, kind, nofollow, anchor } of links) {
      const to = add(url, depth, kind === 'redirect' ? 'redirect' : 'link');
      if (to !== null) yield { from: page.page, to, kind, nofollow, anchor };
    }
  }

  return {
    firstFetchedAt:
      before.length === 0
        ? null
        : before.reduce((least, { fetched_at }) => Math.min(least, fetched_at), Infinity),
    begin(home) {
      add(home, 0, 'home');
      const seeds = crawl.seeds.flatMap((seed) => {
        const target = linkTarget(seed, home, site);
        return target.kind === 'own' ? [target.url] : [];
      });
      for (const seed of seeds) add(seed, 0, 'seed');
      return [home, ...seeds];
    },
    addListed() {
      if (listedAdded) return false;
      listedAdded = true;
      const size = frontier.size();
      for (const url of listed) add(url, 0, 'sitemap');
      return frontier.size() > size;
    },
    next: () => frontier.next(),
    isOwn: (url) => linkTarget(url, url, site).kind === 'own',
    take,
    flush: (force) => rows.flush(force),
    progress: () => ({ known: frontier.size(), fetched }),
    answeredWell: () => answeredWell,
    leftOut: () => frontier.leftOut(),
  };
}

/** With the depth that they were found at: each is one hop behind the first page that led to it. */
function knownOf(stored: readonly StoredCrawlPage[]): KnownPage[] {
  const known: KnownPage[] = [];
  for (const { page, url, found_by, found_on } of stored) {
    const foundBy = found_by as FoundBy;
    const isFound = foundBy === 'link' || foundBy === 'redirect';
    const depth = isFound && found_on < page ? known[found_on]!.depth + 1 : 0;
    known.push({ number: page, url, depth, foundBy });
  }
  return known;
}
