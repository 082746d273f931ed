import { canonicalPath, canonicalPattern } from './canonical-path.js';
import { createFindPart, type FindPart } from './find-part.js';
import type { RobotsFile, RobotsGroup, RobotsRule } from './parse-robots.js';

/** What a robots.txt says to one crawler of one URL. Pure. */

/** How a crawler finds its rules. */
export interface RobotsPolicy {
  /** Product tokens, the first that the file names counts. */
  readonly tokens: readonly string[];
  /** Whether the group of `*` counts where none of them is named; default: yes (RFC 9309 §2.2.1). */
  readonly followsWildcardGroup?: boolean;
}

/**
 * The groups that a crawler goes by: all of the first token that the file names. None: everything is allowed. The same groups are the same array
 * each time.
 */
export type GroupFinder = (policy: RobotsPolicy) => readonly RobotsGroup[];

/**
 * Names are compared ignoring case. Of a name in the file only the product token counts (`Googlebot2` is Googlebot's), unless the crawler's own has
 * characters that none may have.
 */
export function createGroupFinder({ groups }: RobotsFile): GroupFinder {
  const byName = new Map<string, Set<number>>();
  const add = (name: string, place: number) => {
    const same = byName.get(name);
    if (same === undefined) byName.set(name, new Set([place]));
    else same.add(place);
  };
  for (const [place, group] of groups.entries()) {
    for (const agent of group.userAgents) {
      const name = agent.toLowerCase();
      const token = /^[a-z_-]+/.exec(name)?.[0];
      add(name, place);
      if (token !== undefined && token !== name) add(token, place);
    }
  }
  const groupsOf = createSameArrays(groups, byName);
  return ({ tokens, followsWildcardGroup = true }) => {
    const asked = (followsWildcardGroup ? [...tokens, '*'] : tokens).map((token) => token.toLowerCase());
    return groupsOf(asked.find((token) => byName.has(token)) ?? null);
  };
}

/** One array for each name, made when it is first asked for, and the same one for names of the same groups. */
function createSameArrays(
  groups: readonly RobotsGroup[],
  byName: ReadonlyMap<string, ReadonlySet<number>>,
): (name: string | null) => readonly RobotsGroup[] {
  const none: readonly RobotsGroup[] = [];
  const known = new Map<string, readonly RobotsGroup[]>();
  const byPlaces = new Map<string, readonly RobotsGroup[]>();
  return (name) => {
    if (name === null) return none;
    const own = known.get(name);
    if (own !== undefined) return own;
    const places = [...byName.get(name)!];
    const key = places.join();
    const same = byPlaces.get(key) ?? places.map((place) => groups[place]!);
    byPlaces.set(key, same);
    known.set(name, same);
    return same;
  };
}

/** Of groups that count as one, in the file's order. */
export function rulesOf(groups: readonly RobotsGroup[]): RobotsRule[] {
  return groups.flatMap(({ rules }) => rules);
}

/** Of groups that count as one: seconds between two requests; 0: they ask for none. */
export function crawlDelayOf(groups: readonly RobotsGroup[]): number {
  return groups.reduce((most, { crawlDelay = 0 }) => Math.max(most, crawlDelay), 0);
}

/** Characters that a matcher may still look at. Below 0: it has given the URL up, or was about to. */
export interface Effort {
  left: number;
}

/** What one URL may take, since it is judged in one go: 40 ms at most (by the measure of judge-urls.ts). */
export const MAX_EFFORT_PER_URL = 2_500_000;

/**
 * @param effort lowered by about what the URL costs; default: as much as it takes.
 * @returns the rule that disallows a URL (its path, and the query behind `?`); null: it is allowed, or was given up.
 */
export type RuleMatcher = (url: string, effort?: Effort) => RobotsRule | null;

interface Compiled {
  readonly rule: RobotsRule;
  /** Place in the file. */
  readonly order: number;
  /** Octets of the path in its one form: the longest match counts. */
  readonly priority: number;
  /** What a URL must begin with. */
  readonly prefix: string;
  /** What must follow, each after what was there before. */
  readonly parts: readonly { readonly text: string; readonly find: FindPart }[];
  /** The last part, or the prefix where there is none, ends the URL. */
  readonly isAnchored: boolean;
}

/**
 * The longest rule that matches counts, and allow where two are as long; nothing disallows /robots.txt (RFC 9309 §2.2.2). Rules are looked up by
 * what they begin with, so that a URL costs by the rules that could match it.
 */
export function createRuleMatcher(rules: readonly RobotsRule[]): RuleMatcher {
  const byPrefix = new Map<string, Compiled[]>();
  for (const compiled of compileRules(rules)) {
    const same = byPrefix.get(compiled.prefix);
    if (same === undefined) byPrefix.set(compiled.prefix, [compiled]);
    else same.push(compiled);
  }
  for (const same of byPrefix.values()) same.sort(byRank);
  const lengths = [...new Set([...byPrefix.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  return (url, effort = { left: Number.POSITIVE_INFINITY }) => {
    const path = canonicalPath(url);
    effort.left -= path.length;
    if (path === '/robots.txt') return null;
    let best: Compiled | null = null;
    for (const length of lengths) {
      if (length > path.length) break;
      // The look-up reads all of its key.
      effort.left -= 1 + length;
      for (const compiled of byPrefix.get(path.slice(0, length)) ?? []) {
        if (best !== null && byRank(best, compiled) <= 0) break;
        effort.left -= effortOf(path, compiled);
        if (effort.left < 0) return null;
        if (matchesRest(path, compiled)) best = compiled;
      }
    }
    return best?.rule.type === 'disallow' ? best.rule : null;
  };
}

/** At most as many characters are looked at. */
function effortOf(path: string, { prefix, parts, isAnchored }: Compiled): number {
  if (parts.length === 0) return 1;
  if (parts.length === 1 && isAnchored) return 1 + parts[0]!.text.length;
  return parts.length + path.length - prefix.length;
}

/** Longest first, then allow, then as in the file. */
function byRank(one: Compiled, other: Compiled): number {
  const isDisallow = ({ rule }: Compiled) => Number(rule.type === 'disallow');
  return other.priority - one.priority || isDisallow(one) - isDisallow(other) || one.order - other.order;
}

/** A rule that repeats another adds nothing, and would cost each URL as much again: the first counts. */
function compileRules(rules: readonly RobotsRule[]): Compiled[] {
  const compiled = new Map<string, Compiled>();
  for (const [order, rule] of rules.entries()) {
    for (const pattern of patternsOf(rule)) {
      const key = `${rule.type} ${pattern}`;
      if (!compiled.has(key)) compiled.set(key, compilePattern(rule, order, pattern));
    }
  }
  return [...compiled.values()];
}

/** What the rule says of URLs, in the form that their canonical paths have. */
function patternsOf({ type, path }: RobotsRule): string[] {
  // A rule without a path says nothing (RFC 9309 §2.2.2: "Disallow:" allows everything).
  if (path === '') return [];
  const pattern = canonicalPattern(path);
  // Google takes `Allow: /dir/index.html` for /dir/, too. It can only allow more.
  const slash = path.lastIndexOf('/');
  const isIndex = type === 'allow' && slash >= 0 && path.startsWith('/index.htm', slash);
  return isIndex ? [pattern, `${canonicalPattern(path.slice(0, slash + 1))}$`] : [pattern];
}

function compilePattern(rule: RobotsRule, order: number, pattern: string): Compiled {
  const isAnchored = pattern.endsWith('$');
  const [prefix = '', ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return {
    rule,
    order,
    priority: pattern.length,
    prefix,
    parts: parts.map((text) => ({ text, find: createFindPart(text) })),
    isAnchored,
  };
}

/** The part that stands leftmost leaves most for those behind it, so no choice is ever taken back. */
function matchesRest(path: string, { prefix, parts, isAnchored }: Compiled): boolean {
  if (parts.length === 0) return !isAnchored || path.length === prefix.length;
  let from = prefix.length;
  for (const [index, { text, find }] of parts.entries()) {
    if (isAnchored && index === parts.length - 1)
      return path.length - text.length >= from && path.endsWith(text);
    const at = find(path, from);
    if (at === -1) return false;
    from = at + text.length;
  }
  return true;
}
