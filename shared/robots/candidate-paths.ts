import { canonicalPattern } from './canonical-path.js';
import type { RobotsRule } from './parse-robots.js';

/** What of a website's paths has to be looked at, so that the engine can leave the others where they are. Pure. */

/** They stand for themselves in paths, in rules and in regular expressions, but for the dot. */
const SAFE = /^[A-Za-z0-9/_~.-]$/;

/** Longest expression that is worth its compiling; above it all paths are looked at. */
const MAX_LENGTH = 8_000;

/**
 * An expression of RE2 that matches each path which one of the rules may disallow, and perhaps others; null: all may be. A path with a `%` may
 * mean another text than it says, so it always matches.
 * @param hasQuery the paths are followed by a query string, which a `*` may reach into.
 */
export function candidatePaths(rules: readonly RobotsRule[], hasQuery: boolean): string | null {
  const disallowed = rules.filter(({ type, path }) => type === 'disallow' && path !== '');
  const all = [...new Set(disallowed.map(({ path }) => toExpression(path, hasQuery)))];
  if (all.includes('') || all.includes('/')) return null;
  const expression = `(?s)^(?:${all.join('|')})|%`;
  return expression.length > MAX_LENGTH ? null : expression;
}

/** Up to the first character that may stand in a path in another way. */
function toExpression(path: string, hasQuery: boolean): string {
  const pattern = canonicalPattern(path);
  let expression = '';
  for (const [at, character] of [...pattern].entries()) {
    if (character === '*' && !hasQuery) expression += '.*';
    else if (character === '$' && at === pattern.length - 1) return hasQuery ? expression : `${expression}$`;
    else if (SAFE.test(character)) expression += character === '.' ? '[.]' : character;
    else return expression;
  }
  // What ends in `.*` matches as well without it, and `/*` is every path.
  return expression.replace(/(?:\.\*)+$/, '');
}

/** Whether what the rules say of a URL follows from its path and from whether it has a query string at all. */
export function needsQuery(rules: readonly RobotsRule[]): boolean {
  return rules.some(({ path }) => /[*?]/.test(path.replace(/\*$/, '')));
}
