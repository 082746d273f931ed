import { MINUTE_MS } from '../../../../shared/durations.js';
import { type FetchErrorCode, httpsUnanswered } from '../../../../shared/fetch/fetch-error.js';
import type { Fetcher } from '../../../../shared/fetch/fetcher.js';
import { createTurns } from '../../../../shared/pacing/turns.js';
import { type SitemapLimits, sitemapLimits } from '../../../../shared/sitemaps/limits.js';
import { walkSitemaps } from '../../../../shared/sitemaps/walk-sitemaps.js';
import { withoutWww } from '../../../../shared/urls/path-of-address.js';
import { createListedPages, type ListedPages } from './listed-pages.js';
import { type CrawledSite, linkTarget } from './page-url.js';
import type { CrawlOutcome } from './site-crawl.js';
import { type OriginRobots, TURNED_AWAY } from './site-robots.js';
import type { Visitor } from './visitor.js';

/** Finds the start of a crawl: a home page whose server responds, and the pages in its sitemaps. */

export type CrawlStart =
  | { readonly kind: 'go'; readonly home: string; readonly robots: OriginRobots }
  | { readonly kind: 'stop'; readonly outcome: CrawlOutcome };

/** @param known the home page of an earlier attempt. @throws the signal's reason */
export async function findStart(known: string | null, domain: string, visitor: Visitor): Promise<CrawlStart> {
  let first: OriginRobots | null = null;
  for (const origin of known === null ? originsOf(domain) : [new URL(known).origin]) {
    const robots = await visitor.robotsOf(origin);
    // The error of the registered host is reported: the customer never entered its twin.
    first ??= robots;
    if (robots.error !== null && ELSEWHERE.has(robots.error.code)) continue;
    return judge(`${origin}/`, robots);
  }
  return stop('failed', first?.error?.message ?? 'The website could not be reached.');
}

/** Errors without a response, after which another of the website's origins is tried. */
const ELSEWHERE: ReadonlySet<FetchErrorCode> = new Set<FetchErrorCode>([
  ...(httpsUnanswered as ReadonlySet<FetchErrorCode>),
  'dns',
]);

function originsOf(domain: string): string[] {
  const twin = domain.startsWith('www.') ? withoutWww(domain) : `www.${domain}`;
  return [domain, twin].flatMap((host) => [`https://${host}`, `http://${host}`]);
}

function judge(home: string, robots: OriginRobots): CrawlStart {
  const { status, error } = robots;
  if (TURNED_AWAY.has(status)) return stop('blocked', `${home}robots.txt answered with status ${status}.`);
  if (status >= 500)
    return stop(
      'failed',
      `${home}robots.txt answered with status ${status}: nobody may crawl the website then.`,
    );
  if (error !== null && !robots.allows(home)) return stop('failed', error.message);
  return { kind: 'go', home, robots };
}

const stop = (outcome: 'blocked' | 'failed', reason: string): CrawlStart => ({
  kind: 'stop',
  outcome: { outcome, reason },
});

const LIMITS: SitemapLimits = {
  ...sitemapLimits,
  files: 200,
  urls: 200_000,
  characters: 300_000_000,
  timeoutMs: MINUTE_MS,
  // A website that sends 200 files slowly would delay the crawl for hours at each attempt.
  totalMs: 10 * MINUTE_MS,
};

/** Pages in the website's sitemaps, in their order. Unreadable or late sitemaps are left out. @throws the signal's reason */
export async function readListed(
  { home, robots }: { home: string; robots: OriginRobots },
  { site, fetch, signal }: { site: CrawledSite; fetch: Fetcher; signal: AbortSignal },
): Promise<ListedPages> {
  const listed = createListedPages();
  const giveTurn = createTurns();
  await walkSitemaps({
    ...{ domain: new URL(home).host, fromRobots: robots.sitemaps, fetch, signal, limits: LIMITS },
    async onUrls(urls) {
      for (const { url } of urls) {
        const target = linkTarget(url, home, site);
        if (target.kind === 'own') listed.add(target.url);
        await giveTurn();
      }
    },
  });
  return listed;
}
