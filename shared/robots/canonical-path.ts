import { normalSpelling, normalTarget } from '../urls/normal-spelling.js';

/** One form for paths that mean the same (RFC 9309 §2.2.2), for rules and for URLs. */

/** What holds nothing that means more in a rule. */
const CANONICAL = /^[^*$]*$/;

/** A URL's path and query. `*` and `$` are encoded: bare ones mean more in a rule, which writes these as %2A and %24. */
export function canonicalPath(text: string): string {
  const path = normalTarget(text);
  return CANONICAL.test(path) ? path : path.replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** A rule's path. `*` stands, and `$` at its end; elsewhere it is a character like others. */
export function canonicalPattern(text: string): string {
  const isAnchored = text.endsWith('$');
  const pattern = normalSpelling(isAnchored ? text.slice(0, -1) : text).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}
