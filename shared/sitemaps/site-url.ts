import { isUrl } from '../urls/is-url.js';
import { normalPath, normalSpelling } from '../urls/normal-spelling.js';
import { withoutWww } from '../urls/path-of-address.js';

/** Classifies a URL of a sitemap: of the website, of another one, or invalid. */

/** Longest `loc` (sitemaps.org/protocol.html, "loc"). */
export const MAX_LOC = 2_048;

export type ClassifiedUrl =
  /** `path` and `query` (without '?'; '' if there is none) in normal form, as in requests. */
  | { readonly kind: 'own'; readonly path: string; readonly query: string; readonly url: string }
  /** The URL of another host: search engines ignore it, unless that host's robots.txt names the sitemap. */
  | { readonly kind: 'foreign' }
  /** No absolute http(s) URL, or longer than the protocol allows. */
  | { readonly kind: 'invalid' };

const FOREIGN: ClassifiedUrl = { kind: 'foreign' };
const INVALID: ClassifiedUrl = { kind: 'invalid' };

/**
 * A `\` is invalid in a URL, as in logs, although the parser would accept it as a slash.
 * @param domain of the website; its twin with or without `www.` is the same website.
 */
export function classifyUrl(loc: string, domain: string): ClassifiedUrl {
  const text = loc.replaceAll('\\', '%5C');
  if (loc.length > MAX_LOC || !isUrl(text)) return INVALID;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return INVALID;
  if (withoutWww(url.hostname) !== withoutWww(domain)) return FOREIGN;
  url.hash = '';
  url.username = '';
  url.password = '';
  return {
    kind: 'own',
    path: normalPath(url.pathname),
    query: normalSpelling(url.search.slice(1)),
    url: url.href,
  };
}
