export interface SplitTarget {
  /** As sent; '*' for OPTIONS of the whole server; '' where the request line named no target: it is of no page. */
  readonly path: string;
  /** Without '?'; '' for none. */
  readonly query: string;
}

/**
 * Splits a request target (RFC 9112 §3.2) into path and query. Nothing is decoded, so that the path in a
 * report is the one in the log; the scheme and host of an absolute target and a stray fragment are dropped.
 */
export function splitPathAndQuery(target: string): SplitTarget {
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
