import { LONGEST_TARGET } from '../../../shared/requests/longest-target.js';
import { headOfSpelling, normalSpelling } from '../../../shared/websites/normal-spelling.js';

export interface SplitTarget {
  /** In normal spelling; '*' for OPTIONS of the whole server; '' where the request line named no target: it is of no page. */
  readonly path: string;
  /** In normal spelling, without '?'; '' for none. */
  readonly query: string;
  /** Path and query, with '?' between them, as they were sent; '' where that is their normal spelling. */
  readonly sent_target: string;
}

/**
 * Splits a request target (RFC 9112 §3.2) into path and query. The scheme and host of an absolute target and a stray fragment are dropped.
 * One URL has one path and one query, however it was spelled.
 */
export function splitPathAndQuery(target: string): SplitTarget {
  const sent = splitSent(target);
  const normal = normalSpelling(target);
  // Nearly all: the text itself comes back.
  if (normal === target) return { ...sent, sent_target: '' };
  const path = headOfSpelling(normalSpelling(sent.path), LONGEST_TARGET);
  const query = headOfSpelling(normalSpelling(sent.query), LONGEST_TARGET - path.length);
  if (path === sent.path && query === sent.query) return { ...sent, sent_target: '' };
  return { path, query, sent_target: sent.query === '' ? sent.path : `${sent.path}?${sent.query}` };
}

function splitSent(target: string): { path: string; query: string } {
  if (target === '') return { path: '', query: '' };
  let start = 0;
  if (target.charCodeAt(0) !== 47) {
    const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(target);
    if (scheme !== null) {
      const end = target.slice(scheme[0].length).search(/[/?#]/);
      start = end < 0 ? target.length : scheme[0].length + end;
    }
  }
  const fragment = target.indexOf('#', start);
  const end = fragment < 0 ? target.length : fragment;
  const mark = target.indexOf('?', start);
  if (mark < 0 || mark >= end) return { path: target.slice(start, end) || '/', query: '' };
  return { path: target.slice(start, mark) || '/', query: target.slice(mark + 1, end) };
}
