import type { CrawlPage } from '../../shared/reads/crawls/findings/crawl-page.js';

/**
 * A crawled page without faults.
 * @param page its number
 */
export function crawlPageOf(page: number, given: Partial<CrawlPage> = {}): CrawlPage {
  const path = given.path ?? (page === 0 ? '/' : `/page/${page}`);
  return {
    ...{ page, url: `https://shop.example${path}`, path, foundBy: page === 0 ? 'home' : 'link' },
    ...{ inSitemap: false, status: 200, error: '', robotsAllowed: true, redirectTo: '' },
    ...{ contentType: 'text/html', bytes: 4_096, ms: 80, indexable: true, unindexableReason: '' },
    ...{ canonical: '', metaRobots: '', xRobotsTag: '', titles: 1, title: `Page ${page}` },
    ...{ description: `What page ${page} is about`, h1s: 1, h1: `Page ${page}`, lang: 'en', words: 400 },
    ...{ hreflangs: [], linksInternal: 3, linksExternal: 1, digest: `digest ${page}` },
    fetchedAt: Date.parse('2026-11-21T12:00:00Z'),
    ...given,
  };
}
