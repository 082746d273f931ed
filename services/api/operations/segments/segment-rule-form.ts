import { MAX_RULE_LENGTH } from '../../../../shared/control/aggregates/segment.js';
import type { SegmentRule } from '../../../../shared/control/domain/model.js';
import { normalSpelling } from '../../../../shared/urls/normal-spelling.js';

/**
 * Whether a rule can match at all. A path begins with a slash and holds neither query string nor fragment. A rule in another form would hold no request, and
 * nobody would notice.
 * @returns what would match in its place, as `expected …`; null where the rule can match. Regexes are left to whoever wrote them.
 */
export function expectedForm({ type, value }: SegmentRule): string | null {
  if (type === 'regex') return null;
  if (normalSpelling(value).length > MAX_RULE_LENGTH)
    return `at most ${MAX_RULE_LENGTH} characters once it is percent-encoded`;
  if (type === 'query') return expectedQuery(value);
  if (type === 'contains') return expectedText(value);
  // OPTIONS of the whole server.
  if (value.startsWith('/') || value === '*') return expectedText(value);
  return `a path that begins with /, like ${JSON.stringify(normalSpelling(pathOf(value)))}`;
}

function expectedText(value: string): string | null {
  return /[?#]/.test(value)
    ? 'a path without query string and fragment; a rule of the type query looks at what follows the ?'
    : null;
}

function expectedQuery(value: string): string | null {
  if (value.startsWith('?'))
    return `a part of the query string, without the ?, like ${JSON.stringify(`&${normalSpelling(value.slice(1))}`)}`;
  return value.includes('#') ? 'a part of the query string, which holds no #' : null;
}

/** Of an address or a path without its slash. */
function pathOf(value: string): string {
  const rest = value.trim().replace(/^[a-z]{1,10}:\/\/[^/?#]*/i, '');
  const path = rest.replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}
