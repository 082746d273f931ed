import { normalPath, normalSpelling } from './normal-spelling.js';

/** A path that somebody typed or copied: with or without the website's address before it, and what follows it. */

const SCHEME = /^https?:\/\//i;

/** The text up to its query string or fragment, and the query string. */
function splitQuery(text: string): readonly [path: string, query: string] {
  const fragment = text.indexOf('#');
  const whole = fragment < 0 ? text : text.slice(0, fragment);
  const mark = whole.indexOf('?');
  return mark < 0 ? [whole, ''] : [whole.slice(0, mark), normalSpelling(whole.slice(mark + 1))];
}

export interface Address {
  /** Lower case, without a port; null: the text named none. */
  readonly host: string | null;
  /** In normal spelling, as paths are stored; '/' where the text was a bare address. */
  readonly path: string;
  /** In normal spelling, without `?`; '' for none. */
  readonly query: string;
}

/** Takes a full URL apart; a text without a scheme is a path. The fragment is dropped. */
export function readAddress(text: string): Address {
  const scheme = SCHEME.exec(text);
  const [rest, query] = splitQuery(scheme === null ? text : text.slice(scheme[0].length));
  if (scheme === null) return { host: null, path: normalPath(rest), query };
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  return {
    host: hostOf(authority),
    path: slash < 0 ? '/' : normalPath(rest.slice(slash)),
    query,
  };
}

/** Behind a user name, before a port. */
function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const colon = host.lastIndexOf(':');
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
}

/** Whether a host is the website's own: its domain, or one below it. A leading www. is no difference. */
export function isOwnHost(host: string, domain: string): boolean {
  const bare = withoutWww(domain);
  const given = withoutWww(host);
  return given === bare || given.endsWith(`.${bare}`);
}

/** www.example.com and example.com are one website. */
export function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** The path with a slash at its end where it has none, and without where it has one; null of the root, which has no other form. */
export function slashTwin(path: string): string | null {
  if (path === '/') return null;
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
}
