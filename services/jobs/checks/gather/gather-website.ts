import { createHash } from 'node:crypto';
import { isUrl } from '../../../../shared/urls/is-url.js';
import { type Absent, absent, type Gathered } from '../facts/check.js';
import type { Page, Retrieval } from '../facts/facts.js';
import { absentFor, isRead } from '../facts/retrievals.js';
import type { Visit } from './visit.js';

/** The light fetches of one run: the facts about the website itself. */

export type WebsiteFacts = Pick<
  Gathered,
  | 'home'
  | 'plain'
  | 'otherHost'
  | 'page'
  | 'pages'
  | 'again'
  | 'madeUp'
  | 'slash'
  | 'listed'
  | 'asset'
  | 'favicon'
  | 'llms'
>;

export interface WebsiteToVisit {
  readonly id: string;
  readonly domain: string;
  /** Paths of the pages that crawlers fetch most, without `/`. */
  readonly topPaths: readonly string[];
  /** URLs in its sitemaps. */
  readonly listedUrls: readonly string[];
}

const MOST_PAGES = 3;
const MOST_LISTED = 5;

/** All facts absent, for one reason. */
export function noWebsite(reason: Absent): WebsiteFacts {
  return {
    ...{ home: reason, plain: reason, otherHost: reason, page: reason, pages: reason, again: reason },
    ...{ madeUp: reason, slash: reason, listed: reason, asset: reason, favicon: reason, llms: reason },
  };
}

/**
 * A website that does not respond, or rejects Loglane, is requested only at its entrances.
 * @throws the reason of the visit's signal
 */
export async function gatherWebsite(visit: Visit, website: WebsiteToVisit): Promise<WebsiteFacts> {
  const { domain } = website;
  const home = await visit.fetch(`https://${domain}/`, { isPage: true });
  if ('absent' in home) return noWebsite(home);
  // Without an address, or with a private one, further requests are useless.
  const isNowhere = home.error?.code === 'dns' || home.error?.code === 'blocked_address';
  const entrances = isNowhere
    ? { plain: absentFor('The website', home), otherHost: absentFor('The website', home) }
    : {
        plain: await visit.fetch(`http://${domain}/`),
        otherHost: await visit.fetch(`https://${otherHostOf(domain)}/`),
      };
  if (!isRead(home)) return { ...noWebsite(absentFor('The home page', home)), home, ...entrances };
  return { home, ...entrances, ...(await gatherInside(visit, website, home)) };
}

function otherHostOf(domain: string): string {
  return domain.startsWith('www.') ? domain.slice(4) : `www.${domain}`;
}

async function gatherInside(visit: Visit, website: WebsiteToVisit, home: Retrieval) {
  const { origin } = new URL(home.finalUrl!);
  const page =
    toPage(home) ?? absent('The home page is no HTML.', 'invalid', { requested_url: home.requestedUrl });
  const madeUp = await visit.fetch(`${origin}${madeUpPath(website.id)}`, { isPage: true });
  const listed = await fetchAll(visit, sameSite(website.listedUrls, website.domain).slice(0, MOST_LISTED));
  const top = await fetchAll(
    visit,
    website.topPaths.slice(0, MOST_PAGES).map((path) => `${origin}${path}`),
  );
  const pages = [page, ...top.map(toPage)].filter((one): one is Page => one !== null && !('absent' in one));
  return {
    page,
    madeUp,
    listed: listed.length === 0 ? absent('No page of a sitemap could be requested.', 'not_checked') : listed,
    pages: pages.length === 0 ? absent('No page could be read.', 'unconfirmed') : pages,
    again: await askAgain(visit, home),
    slash: await askTwin(visit, pages),
    asset: await askAsset(visit, page),
    favicon: await visit.fetch(iconOf(page, origin)),
    llms: await visit.fetch(`${origin}/llms.txt`),
  };
}

function toPage(retrieval: Retrieval): Page | null {
  const { html, finalUrl } = retrieval;
  return html !== null && finalUrl !== null && isRead(retrieval)
    ? { retrieval: { ...retrieval, finalUrl }, html }
    : null;
}

/** Without the URLs beyond the limits. */
async function fetchAll(visit: Visit, urls: readonly string[]): Promise<Retrieval[]> {
  const found: Retrieval[] = [];
  for (const url of urls) {
    const one = await visit.fetch(url, { isPage: true });
    if ('absent' in one) break;
    found.push(one);
  }
  return found;
}

/** The same path each night, which no other client requests. */
function madeUpPath(websiteId: string): string {
  return `/loglane-check-${createHash('sha256').update(websiteId).digest('hex').slice(0, 12)}`;
}

/** A sitemap may list any URL, but only those of the website are requested. */
function sameSite(urls: readonly string[], domain: string): string[] {
  const hosts = new Set([domain, otherHostOf(domain)]);
  return urls.filter((url) => isUrl(url) && hosts.has(new URL(url).hostname));
}

function askAgain(visit: Visit, home: Retrieval): Promise<Retrieval | Absent> {
  const tag = home.headers.get('etag');
  const modified = home.headers.get('last-modified');
  const headers = {
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
  if (Object.keys(headers).length === 0) return Promise.resolve(home);
  return visit.fetch(home.finalUrl!, { headers });
}

async function askTwin(visit: Visit, pages: readonly Page[]): Promise<WebsiteFacts['slash']> {
  const page = pages.find(({ retrieval }) => hasTwin(new URL(retrieval.finalUrl)));
  if (page === undefined) return absent('No page below the home page could be read.', 'unconfirmed');
  const url = new URL(page.retrieval.finalUrl);
  url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`;
  const twin = await visit.fetch(url.href, { isPage: true });
  return 'absent' in twin ? twin : { page, twin };
}

/** A file has no twin: `/a.html/` is no address. */
function hasTwin({ pathname }: URL): boolean {
  return pathname !== '/' && !pathname.slice(pathname.lastIndexOf('/')).includes('.');
}

async function askAsset(visit: Visit, page: Page | Absent): Promise<WebsiteFacts['asset']> {
  if ('absent' in page) return page;
  const base = page.retrieval.finalUrl;
  const { host } = new URL(base);
  const own = page.html.assets.find((url) => isUrl(url, base) && new URL(url, base).host === host);
  if (own === undefined) return { none: true };
  return visit.fetch(new URL(own, base).href);
}

/** If the icon is on another host or inside the page, the usual place is requested. */
function iconOf(page: Page | Absent, origin: string): string {
  const usual = `${origin}/favicon.ico`;
  if ('absent' in page) return usual;
  const base = page.retrieval.finalUrl;
  const own = page.html.icons.find((url) => isUrl(url, base) && new URL(url, base).origin === origin);
  return own === undefined ? usual : new URL(own, base).href;
}
