import { percentEncoded as encoded } from '../../websites/path-of-address.js';
import type { SegmentRule } from '../model.js';

/**
 * Whether a rule can match at all. Paths and query strings are compared as they are logged: a path begins with a slash, holds
 * neither query string nor fragment, and both are percent-encoded. A rule in another form would hold no request, and nobody
 * would be told.
 * @returns what would match in its place, as `expected …`; null where the rule can match. Regexes are left to whoever wrote them.
 */
export function expectedForm({ type, value }: SegmentRule): string | null {
  if (type === 'regex') return null;
  if (type === 'query') return expectedQuery(value);
  if (type === 'contains') return expectedText(value);
  // OPTIONS of the whole server.
  if (value.startsWith('/') || value === '*') return expectedText(value);
  return `a path that begins with /, like ${JSON.stringify(encoded(pathOf(value)))}`;
}

function expectedText(value: string): string | null {
  if (/[?#]/.test(value))
    return 'a path without query string and fragment; a rule of the type query looks at what follows the ?';
  return UNENCODED.test(value) ? `a path as it is sent, like ${JSON.stringify(encoded(value))}` : null;
}

function expectedQuery(value: string): string | null {
  if (value.startsWith('?'))
    return `a part of the query string, without the ?, like ${JSON.stringify(`&${encoded(value.slice(1))}`)}`;
  if (value.includes('#')) return 'a part of the query string, which holds no #';
  return UNENCODED.test(value)
    ? `a part of the query string as it is sent, like ${JSON.stringify(encoded(value))}`
    : null;
}

/** What no request line holds unencoded: spaces, control characters, anything beyond ASCII. */
const UNENCODED = /[^!-~]/;

/** Of an address or a path without its slash. */
function pathOf(value: string): string {
  const rest = value.trim().replace(/^[a-z]{1,10}:\/\/[^/?#]*/i, '');
  const path = rest.replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}
