import { canonicalPattern } from './canonical-path.js';
import type { RobotsRule } from './parse-robots.js';

/**
 * What of a website's paths has to be looked at, so that the engine can leave the others where they are. Pure. Texts alone, no regular expression:
 * what one costs in the engine is up to whoever writes the robots.txt, and the engine can't interrupt it.
 */

/** A path counts that begins with one of the beginnings or holds one of the parts. */
export interface CandidatePaths {
  readonly beginnings: readonly string[];
  readonly parts: readonly string[];
}

/** A rule is read as far as this: what it begins with is enough. */
const MAX_READ = 256;
const MAX_BEGINNING = 32;
/** Of all beginnings; where they are longer they are cut, so that they stand for more paths. */
const MAX_BEGINNINGS_LENGTH = 8_000;
/** Each is looked for at every place of a path. */
const MAX_PARTS = 16;
const MAX_PART = 12;

/** These do not stand for themselves alone in paths and in rules. */
const NOT_LITERAL = /%[0-9A-F]{2}|[^A-Za-z0-9/_~.-]/;

/**
 * Each path that one of the rules may disallow is a candidate, and perhaps others are; null: all may be. A path with a `%` may mean another text
 * than it says, so it always is one.
 * @param hasQuery the paths are followed by a query string, which a `*` may reach into.
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

/** Whether what the rules say of a URL follows from its path and from whether it has a query string at all. */
export function needsQuery(rules: readonly RobotsRule[]): boolean {
  return rules.some(({ path }) => /[*?]/.test(path.replace(/\*$/, '')));
}
