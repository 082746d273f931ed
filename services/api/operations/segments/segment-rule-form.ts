import { MAX_RULE_LENGTH } from '../../../../shared/control/aggregates/segment.js';
import type { SegmentRule } from '../../../../shared/control/domain/model.js';
import { normalSpelling } from '../../../../shared/urls/normal-spelling.js';

/**
 * Checks whether a rule can match at all. A path begins with a slash and contains neither query string nor fragment. A rule in
 * another form would match no request without any error. Regexes are not checked.
 * @returns a form that would match, as `expected …`; null if the rule can match.
 */
export function expectedForm({ type, value }: SegmentRule): string | null {
  if (type === 'regex') return null;
  if (normalSpelling(value).length > MAX_RULE_LENGTH)
    return `at most ${MAX_RULE_LENGTH} characters once it is percent-encoded`;
  if (type === 'query') return expectedQuery(value);
  if (type === 'contains') return expectedText(value);
  // `*` is the path of OPTIONS for the whole server.
  if (value.startsWith('/') || value === '*') return expectedText(value);
  return `a path that begins with /, like ${JSON.stringify(normalSpelling(pathOf(value)))}`;
}

function expectedText(value: string): string | null {
  return /[?#]/.test(value)
    ? 'a path without query string and fragment; a rule of the type query matches the part after the ?'
    : null;
}

function expectedQuery(value: string): string | null {
  if (value.startsWith('?'))
    return `a part of the query string, without the ?, like ${JSON.stringify(`&${normalSpelling(value.slice(1))}`)}`;
  return value.includes('#') ? 'a part of the query string, which has no #' : null;
}

/** @param text an address, or a path without its slash. */
function pathOf(value: string): string {
  const rest = value.trim().replace(/^[a-z]{1,10}:\/\/[^/?#]*/i, '');
  const path = rest.replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}
