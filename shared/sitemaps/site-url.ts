import { withoutWww } from '../websites/path-of-address.js';

/** A URL of a sitemap, held against the website whose sitemap it is. */

/** Longest `loc` (sitemaps.org/protocol.html, "loc"). */
export const MAX_LOC = 2_048;

export type ClassifiedUrl =
  /** `path` as logs have it: percent-encoded, without the query string. */
  | { readonly kind: 'own'; readonly path: string; readonly url: string }
  /** Of another host: search engines ignore it, unless that host's robots.txt names the sitemap. */
  | { readonly kind: 'foreign' }
  /** No absolute http(s) URL, or longer than the protocol allows. */
  | { readonly kind: 'invalid' };

const FOREIGN: ClassifiedUrl = { kind: 'foreign' };
const INVALID: ClassifiedUrl = { kind: 'invalid' };

/**
 * The URL standard's parser writes a path as clients send it: what is not ASCII becomes percent-encoded UTF-8, escapes stay as they are.
 * @param domain the website's; its twin with or without `www.` is the same site.
 */
export function classifyUrl(loc: string, domain: string): ClassifiedUrl {
  if (loc.length > MAX_LOC || !URL.canParse(loc)) return INVALID;
  const url = new URL(loc);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return INVALID;
  if (withoutWww(url.hostname) !== withoutWww(domain)) return FOREIGN;
  url.hash = '';
  url.username = '';
  url.password = '';
  return { kind: 'own', path: url.pathname, url: url.href };
}
