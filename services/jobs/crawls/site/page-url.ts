import { MAX_LOC } from '../../../../shared/sitemaps/site-url.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../shared/urls/normal-spelling.js';
import { withoutWww } from '../../../../shared/urls/path-of-address.js';

/** The target of a page's link, in the crawler's form. Pure. */

/** The website that is crawled. */
export interface CrawledSite {
  /** Its twin with or without `www.`, over http and https, is the same site. */
  readonly domain: string;
  /** Query parameters that identify a page; the others are dropped from URLs. */
  readonly queryKeys: ReadonlySet<string>;
  /** Other than 80 and 443; for tests alone. */
  readonly ports?: ReadonlySet<string>;
}

export type LinkTarget =
  /** `url` is the one form of the page: two links to it give the same text. */
  | { readonly kind: 'own'; readonly url: string }
  /** On another host: counted, never fetched. */
  | { readonly kind: 'external' }
  /** No page: mailto, javascript, another port, or too long. */
  | { readonly kind: 'none' };

const EXTERNAL: LinkTarget = { kind: 'external' };
const NONE: LinkTarget = { kind: 'none' };
const USUAL_PORTS = new Set(['', '80', '443']);

/**
 * Scheme and host stay, since each of them may respond differently. Path and query have their normal spelling, as in logs. Kept query
 * parameters are sorted by name; those with the same name stay in their order.
 * @param base of the page with the link, after its `base` element
 */
export function linkTarget(link: string, base: string, site: CrawledSite): LinkTarget {
  if (link.length > MAX_LOC || !isUrl(link, base)) return NONE;
  const url = new URL(link, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return NONE;
  if (withoutWww(url.hostname) !== withoutWww(site.domain)) return EXTERNAL;
  if (!USUAL_PORTS.has(url.port) && site.ports?.has(url.port) !== true) return NONE;
  if (url.search !== '') keepParameters(url, site.queryKeys);
  const own = normalUrl(url);
  return own.length > MAX_LOC ? NONE : { kind: 'own', url: own };
}

function keepParameters(url: URL, keys: ReadonlySet<string>): void {
  const kept = new URLSearchParams([...url.searchParams].filter(([name]) => keys.has(name)));
  kept.sort();
  url.search = kept.toString();
}
