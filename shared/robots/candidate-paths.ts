import { canonicalPattern } from './canonical-path.js';
import type { RobotsRule } from './parse-robots.js';

/**
 * Selects the paths of a website that must be judged, so that the engine can exclude the others. Pure. It uses texts and no regular
 * expressions: the author of the robots.txt would control their cost, and the engine cannot interrupt them.
 */

/** A path is a candidate if it starts with one of the beginnings or contains one of the parts. */
export interface CandidatePaths {
  readonly beginnings: readonly string[];
  readonly parts: readonly string[];
}

/** Maximum characters of a rule that are read; its beginning is enough. */
const MAX_READ = 256;
const MAX_BEGINNING = 32;
/** Total of all beginnings. Longer ones are shortened, so that they match more paths. */
const MAX_BEGINNINGS_LENGTH = 8_000;
/** Each part is searched at every position of a path. */
const MAX_PARTS = 16;
const MAX_PART = 12;

/** Characters that are not literal in paths and in rules. */
const NOT_LITERAL = /%[0-9A-F]{2}|[^A-Za-z0-9/_~.-]/;

/**
 * Each path that one of the rules may disallow is a candidate, and perhaps others are; null: all paths are. A path with a `%` is always a
 * candidate, because it may represent another text.
 * @param hasQuery the paths are followed by a query string, which a `*` may match.
 */
export function candidatePaths(rules: readonly RobotsRule[], hasQuery: boolean): CandidatePaths | null {
  const beginnings = new Set<string>();
  const parts = new Set(['%']);
  for (const { type, path } of rules) {
    if (type !== 'disallow' || path === '') continue;
    const pattern = canonicalPattern(path.slice(0, MAX_READ));
    // No URL without a query string has a `?`.
    if (!hasQuery && pattern.includes('?')) continue;
    const literals = pattern.split(NOT_LITERAL);
    const beginning = literals[0]!;
    const part = hasQuery ? '' : longestOf(literals);
    if (beginning.length > 1) beginnings.add(beginning.slice(0, MAX_BEGINNING));
    else if (part.length > 1) parts.add(part.slice(0, MAX_PART));
    else return null;
    if (parts.size > MAX_PARTS) return null;
  }
  const cut = cutToFit([...beginnings]);
  return cut === null ? null : { beginnings: cut, parts: [...parts] };
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

function cutToFit(beginnings: readonly string[]): string[] | null {
  for (let most = MAX_BEGINNING; most > 1; most /= 2) {
    const cut = [...new Set(beginnings.map((text) => text.slice(0, most)))];
    if (cut.reduce((sum, { length }) => sum + length, 0) <= MAX_BEGINNINGS_LENGTH) return cut;
  }
  return null;
}

/** Whether a URL's verdict depends on more of its query string than its presence. */
export function needsQuery(rules: readonly RobotsRule[]): boolean {
  return rules.some(({ path }) => /[*?]/.test(path.replace(/\*$/, '')));
}
