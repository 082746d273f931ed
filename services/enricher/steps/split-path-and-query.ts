import { LONGEST_TARGET } from '../../../shared/requests/longest-target.js';
import { headOfSpelling, normalPath, normalSpelling } from '../../../shared/urls/normal-spelling.js';

export interface SplitTarget {
  /**
   * In normal spelling; '*' for OPTIONS of the whole server; '' if the request line has no target, and so no
   * page.
   */
  readonly path: string;
  /** In normal spelling, without '?'; '' for none. */
  readonly query: string;
  /** Path and query as sent, with '?' between them; '' if that is the normal spelling. */
  readonly sent_target: string;
}

/**
 * Splits a request target (RFC 9112 §3.2) into path and query. The scheme and host of an absolute target and
 * a stray fragment are dropped. All spellings of one URL have the same path and query.
 */
export function splitPathAndQuery(target: string): SplitTarget {
  const sent = splitSent(target);
  const [spelledPath, spelledQuery] = [normalPath(sent.path), normalSpelling(sent.query)];
  // The usual case, which returns the strings unchanged.
  if (spelledPath === sent.path && spelledQuery === sent.query) return sent;
  const path = headOfSpelling(spelledPath, LONGEST_TARGET);
  const query = headOfSpelling(spelledQuery, LONGEST_TARGET - path.length);
  return { path, query, sent_target: sent.query === '' ? sent.path : `${sent.path}?${sent.query}` };
}

function splitSent(target: string): SplitTarget {
  if (target === '') return { path: '', query: '', sent_target: '' };
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
  const isWithout = mark < 0 || mark >= end;
  const path = target.slice(start, isWithout ? end : mark) || '/';
  return { path, query: isWithout ? '' : target.slice(mark + 1, end), sent_target: '' };
}
