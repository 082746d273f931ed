import { normalSpelling, normalTarget } from '../urls/normal-spelling.js';

/** The canonical form of equivalent paths (RFC 9309 §2.2.2), for rules and for URLs. */

/** Texts without the characters that are special in a rule. */
const CANONICAL = /^[^*$]*$/;

/**
 * Canonical form of a URL's path and query. `*` and `$` are encoded: unencoded they are special in a rule, which writes the literals as %2A
 * and %24.
 */
export function canonicalPath(text: string): string {
  const path = normalTarget(text);
  return CANONICAL.test(path) ? path : path.replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** Canonical form of a rule's path. `*` and a final `$` are unchanged; any other `$` is a literal. */
export function canonicalPattern(text: string): string {
  const isAnchored = text.endsWith('$');
  const pattern = normalSpelling(isAnchored ? text.slice(0, -1) : text).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}
