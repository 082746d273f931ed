import { createTurns, inTurns } from '../../../../shared/pacing/turns.js';
import type { CrawlProgress } from '../../../../shared/reads/crawls/crawl-progress.js';
import type { CrawlLink, CrawlPage } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import type { StoredCrawlPage } from '../rows/crawl-resume.js';
import { createFrontier, type FoundBy, type KnownPage } from './frontier.js';
import type { ListedPages } from './listed-pages.js';
import { type CrawledSite, linkTarget } from './page-url.js';
import { type FoundLink, readPage, unfetchedPage } from './read-page.js';
import { createCrawlRowBuffer } from './row-buffer.js';
import type { CrawlParts, SiteCrawl } from './site-crawl.js';
import type { Visit } from './visitor.js';

/**
 * In one crawl; their graph takes 50 MB of memory. 50,000 pages may have 2,000 links each, whose graph would not fit into memory. The pages behind further
 * links are crawled as usual.
 */
const MOST_CRAWLED_LINKS = 10_000_000;

/** The state of a crawl: the frontier, and the rows that are not written yet. */
export interface CrawlState {
  /** When an earlier attempt fetched the first page, milliseconds since the epoch; null: none did. */
  readonly firstFetchedAt: number | null;
  /** Adds the home page and the seeds. @returns their URLs */
  begin(home: string): readonly string[];
  /** Adds the pages of sitemaps. @returns whether any of them must be fetched. @throws as `flush` */
  addListed(): Promise<boolean>;
  next(): KnownPage | undefined;
  isOwn(url: string): boolean;
  take(page: KnownPage, visit: Visit): Promise<void>;
  /** @returns whether it wrote anything. @throws as `ClickHouseWriter.insert` */
  flush(force?: boolean): Promise<boolean>;
  progress(): CrawlProgress;
  /** Pages with status 200. */
  answeredWell(): number;
  leftOut(): ReadonlyMap<string, number>;
}

interface StateParts {
  readonly crawl: SiteCrawl;
  readonly site: CrawledSite;
  /** From sitemaps. */
  readonly listed: ListedPages;
  /** From an earlier attempt: its pages, and the number of its links. */
  readonly stored: readonly StoredCrawlPage[];
  readonly storedLinks: number;
}

export function createCrawlState(
  { crawl, site, listed, stored, storedLinks }: StateParts,
  { writer, now }: Pick<CrawlParts, 'writer' | 'now'>,
): CrawlState {
  const rows = createCrawlRowBuffer(writer, crawl, now);
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
      const facts = { inSitemap: listed.has(url), robotsAllowed: true };
      rows.know(unfetchedPage({ number, url, depth, foundBy }, facts));
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
      // Not limited: a page has at most one redirect and one canonical.
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

/** With the depth at which each was found: one hop after the first page that led to it. */
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
