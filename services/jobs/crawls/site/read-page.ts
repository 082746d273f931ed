import type { Steps } from '../../../../shared/pacing/turns.js';
import type { CrawlPage } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { MAX_LOC } from '../../../../shared/sitemaps/site-url.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../shared/urls/normal-spelling.js';
import { isHtml, type PageAnswer } from './fetch-page.js';
import type { KnownPage } from './frontier.js';
import { isNofollow, unindexableReason } from './indexable.js';
import { canonicalOfHeader } from './link-header.js';
import { type PageFacts, readPageFacts } from './page-facts.js';
import { type CrawledSite, linkTarget } from './page-url.js';

/** The stored row of a page, and its links. Pure. */

/** A link from one page of the site to another. */
export interface FoundLink {
  readonly url: string;
  readonly kind: 'a' | 'redirect' | 'canonical';
  readonly nofollow: boolean;
  readonly anchor: string;
}

export interface ReadPage {
  readonly page: CrawlPage;
  /** Each target and kind once. */
  readonly links: readonly FoundLink[];
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const LONGEST_HEADER = 1_000;

/** The row of a page that was not fetched (yet). */
export function unfetchedPage(
  { number, url, foundBy }: KnownPage,
  { inSitemap, robotsAllowed }: { inSitemap: boolean; robotsAllowed: boolean },
): CrawlPage {
  return {
    ...{ page: number, url, path: new URL(url).pathname, foundBy, inSitemap, robotsAllowed },
    ...{ status: 0, error: '', redirectTo: '', contentType: '', bytes: 0, ms: 0 },
    ...{ indexable: false, unindexableReason: robotsAllowed ? 'not_fetched' : 'robots' },
    ...{
      canonical: '',
      metaRobots: '',
      xRobotsTag: '',
      titles: 0,
      title: '',
      description: '',
      h1s: 0,
      h1: '',
    },
    ...{ lang: '', words: 0, hreflangs: [], linksInternal: 0, linksExternal: 0, digest: '', fetchedAt: 0 },
  };
}

/** Each step reads a piece of the HTML or a link. @param unfetched the page's row so far */
export function* readPage(
  unfetched: CrawlPage,
  answer: PageAnswer,
  { site, fetchedAt }: { site: CrawledSite; fetchedAt: number },
): Steps<ReadPage> {
  const { url } = unfetched;
  const { status, headers, error, ms, bytes, html } = answer;
  const redirectTo = redirectOf(answer, url);
  const facts = html === null ? null : yield* readPageFacts(html);
  const base = baseOf(facts, url);
  const canonical = canonicalOf(answer, facts, { url, base });
  const canonicalPage = canonical === '' ? null : linkTarget(canonical, base, site);
  const xRobotsTag = answer.xRobotsTag.slice(0, LONGEST_HEADER);
  const metaRobots = facts?.robots ?? '';
  const reason = unindexableReason({
    ...{ status, error, isHtml: isHtml(headers.get('content-type')), isRedirect: redirectTo !== '' },
    ...{ robotsAllowed: true, metaRobots, xRobotsTag },
    canonicalElsewhere:
      canonicalPage !== null &&
      (canonicalPage.kind === 'external' || (canonicalPage.kind === 'own' && canonicalPage.url !== url)),
  });
  const links = createLinks(site, isNofollow(metaRobots, xRobotsTag));
  if (redirectTo !== '') links.add({ href: redirectTo, anchor: '', nofollow: false }, url, 'redirect');
  if (canonical !== '') links.add({ href: canonical, anchor: '', nofollow: false }, base, 'canonical');
  for (const link of facts?.links ?? []) {
    links.add(link, base, 'a');
    yield;
  }
  return {
    page: {
      ...unfetched,
      ...{ status, error, ms, bytes, redirectTo, canonical, metaRobots, xRobotsTag, fetchedAt },
      contentType: bounded(headers.get('content-type')).slice(0, 100),
      indexable: reason === '',
      unindexableReason: reason,
      ...(facts === null ? {} : columnsOf(facts, base, site)),
      ...links.counts(),
    },
    links: links.found.filter((link) => link.kind === 'a' || link.url !== url),
  };
}

function columnsOf(facts: PageFacts, base: string, site: CrawledSite) {
  const { titles, title, description, h1s, h1, lang, words, digest } = facts;
  return {
    ...{ titles, title: title ?? '', description: description ?? '', h1s, h1: h1 ?? '', lang, words, digest },
    hreflangs: facts.hreflangs.map(({ lang: language, href }) => {
      const target = linkTarget(href, base, site);
      return { lang: language, url: target.kind === 'own' ? target.url : absolute(href, base) };
    }),
  };
}

function createLinks(site: CrawledSite, nofollowAll: boolean) {
  const found: FoundLink[] = [];
  const byTarget = new Map<string, number>();
  const external = new Set<string>();
  return {
    found,
    add(
      link: { href: string; anchor: string; nofollow: boolean },
      base: string,
      kind: FoundLink['kind'],
    ): void {
      const target = linkTarget(link.href, base, site);
      if (target.kind === 'external' && kind === 'a') external.add(absolute(link.href, base));
      if (target.kind !== 'own') return;
      const key = `${kind} ${target.url}`;
      const place = byTarget.get(key);
      const nofollow = link.nofollow || (nofollowAll && kind === 'a');
      if (place === undefined) {
        byTarget.set(key, found.length);
        found.push({ url: target.url, kind, nofollow, anchor: link.anchor });
        return;
      }
      const known = found[place]!;
      found[place] = {
        ...known,
        nofollow: known.nofollow && nofollow,
        anchor: known.anchor === '' ? link.anchor : known.anchor,
      };
    },
    counts: () => ({
      linksInternal: found.filter(({ kind }) => kind === 'a').length,
      linksExternal: external.size,
    }),
  };
}

function redirectOf({ status, headers }: PageAnswer, url: string): string {
  return REDIRECTS.has(status) ? absolute(headers.get('location'), url) : '';
}

/** The HTML overrides the header. The header ignores `base`. */
function canonicalOf(
  { status, headers }: PageAnswer,
  facts: PageFacts | null,
  { url, base }: { url: string; base: string },
): string {
  const written = facts?.canonical ?? null;
  if (written !== null) return absolute(written, base);
  return status === 200 ? absolute(canonicalOfHeader(headers.get('link')), url) : '';
}

function baseOf(facts: PageFacts | null, url: string): string {
  const base = absolute(facts?.base ?? null, url);
  return base === '' ? url : base;
}

/** '': there is none, or it is no http or https URL. */
function absolute(href: string | null, base: string): string {
  if (href === null || href.length > MAX_LOC || !isUrl(href, base)) return '';
  const url = new URL(href, base);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const normal = isWeb ? normalUrl(url) : '';
  return normal.length <= MAX_LOC ? normal : '';
}

function bounded(header: string | null): string {
  return (header ?? '').slice(0, LONGEST_HEADER);
}
