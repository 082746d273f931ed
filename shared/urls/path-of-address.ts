import { normalPath, normalSpelling } from './normal-spelling.js';

/** Parses a path that a person typed or copied, with or without the website's address, query string or fragment. */

const SCHEME = /^https?:\/\//i;

/** The text up to its query string or fragment, and the query string. */
function splitQuery(text: string): readonly [path: string, query: string] {
  const fragment = text.indexOf('#');
  const whole = fragment < 0 ? text : text.slice(0, fragment);
  const mark = whole.indexOf('?');
  return mark < 0 ? [whole, ''] : [whole.slice(0, mark), normalSpelling(whole.slice(mark + 1))];
}

export interface Address {
  /** Lower case, without a port; null: the text has no host. */
  readonly host: string | null;
  /** In normal spelling, as stored; '/' if the text was a bare address. */
  readonly path: string;
  /** In normal spelling, without `?`; '' if there is none. */
  readonly query: string;
}

/** Splits a full URL; a text without a scheme is a path. The fragment is dropped. */
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

/** Host between a user name and a port. */
function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const colon = host.lastIndexOf(':');
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
}

/** Whether a host belongs to the website: its domain or a subdomain. A leading www. is ignored. */
export function isOwnHost(host: string, domain: string): boolean {
  const bare = withoutWww(domain);
  const given = withoutWww(host);
  return given === bare || given.endsWith(`.${bare}`);
}

/** www.example.com and example.com are one website. */
export function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** Adds or removes the trailing slash; null for the root, which has no other form. */
export function slashTwin(path: string): string | null {
  if (path === '/') return null;
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
}
