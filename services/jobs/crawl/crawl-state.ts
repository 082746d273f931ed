import { createTurns, inTurns } from '../../../shared/pacing/turns.js';
import type { CrawlProgress } from '../../../shared/reads/crawls/crawl-progress.js';
import type { CrawlLink, CrawlPage } from '../../../shared/reads/crawls/findings/crawl-page.js';
import type { StoredCrawlPage } from '../crawl-rows/crawl-resume.js';
import { createCrawlRows } from './crawl-rows.js';
import { createFrontier, type FoundBy, type KnownPage } from './frontier.js';
import type { ListedPages } from './listed-pages.js';
import { type CrawledSite, linkTarget } from './page-url.js';
import { type FoundLink, readPage, unfetchedPage } from './read-page.js';
import type { CrawlParts, SiteCrawl } from './site-crawl.js';
import type { Visit } from './visitor.js';

/**
 * Of one crawl. 50,000 pages may have 2,000 links each, and their graph would be larger than the process: so many take 50 MB there. The pages that further
 * links lead to are crawled as any other.
 */
const MOST_CRAWLED_LINKS = 10_000_000;

/** What a crawl knows: the frontier, and the rows that are not written yet. */
export interface CrawlState {
  /** When the first page was fetched by an earlier attempt, milliseconds since the epoch; null: none was. */
  readonly firstFetchedAt: number | null;
  /** Adds the home page and the seeds. @returns their URLs */
  begin(home: string): readonly string[];
  /** Adds what sitemaps list. @returns whether any of it is to be fetched. @throws as `flush` */
  addListed(): Promise<boolean>;
  next(): KnownPage | undefined;
  isOwn(url: string): boolean;
  take(page: KnownPage, visit: Visit): Promise<void>;
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
  readonly listed: ListedPages;
  /** By an earlier attempt: pages, and how many links. */
  readonly stored: readonly StoredCrawlPage[];
  readonly storedLinks: number;
}

export function createCrawlState(
  { crawl, site, listed, stored, storedLinks }: StateParts,
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
  let links = storedLinks;
  let linksLeftOut = 0;
  const giveTurn = createTurns();

  /** @returns the page's number; null: it is left out */
  function add(url: string, depth: number, foundBy: FoundBy): number | null {
    const size = frontier.size();
    const number = frontier.add(url, depth, foundBy);
    if (typeof number !== 'number') return null;
    if (number === size) {
      const told = { inSitemap: listed.has(url), robotsAllowed: true };
      rows.know(unfetchedPage({ number, url, depth, foundBy }, told));
    }
    return number;
  }

  async function take(known: KnownPage, visit: Visit): Promise<void> {
    const inSitemap = listed.has(known.url);
    const unfetched = unfetchedPage(known, { inSitemap, robotsAllowed: visit.kind !== 'disallowed' });
    if (visit.kind === 'disallowed') {
      rows.add(unfetched, []);
      return;
    }
    const reading = readPage(unfetched, visit.answer, { site, fetchedAt: visit.at });
    const { page, links: found } = await inTurns(reading, giveTurn);
    rows.add(page, [...numbered(page, found, known.depth + 1)]);
    fetched += 1;
    if (page.status === 200) answeredWell += 1;
  }

  function* numbered(page: CrawlPage, found: readonly FoundLink[], depth: number): Generator<CrawlLink> {
    for (const { url, kind, nofollow, anchor } of found) {
      const to = add(url, depth, kind === 'redirect' ? 'redirect' : 'link');
      if (to === null) continue;
      // A page has one redirect and one canonical.
      if (kind === 'a' && links >= MOST_CRAWLED_LINKS) linksLeftOut += 1;
      else {
        links += 1;
        yield { from: page.page, to, kind, nofollow, anchor };
      }
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
    async addListed() {
      if (listedAdded) return false;
      listedAdded = true;
      const size = frontier.size();
      for (const url of listed.urls()) {
        if (frontier.size() >= crawl.maxPages) break;
        add(url, 0, 'sitemap');
        await rows.flush();
        await giveTurn();
      }
      return frontier.size() > size;
    },
    next: () => frontier.next(),
    isOwn: (url) => linkTarget(url, url, site).kind === 'own',
    take,
    flush: (force) => rows.flush(force),
    progress: () => ({ known: frontier.size(), fetched }),
    answeredWell: () => answeredWell,
    leftOut: () => new Map([...frontier.leftOut(), ['links', linksLeftOut]]),
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
