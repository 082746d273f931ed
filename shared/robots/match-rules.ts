import { canonicalPath, canonicalPattern } from './canonical-path.js';
import { createFindPart, type FindPart } from './find-part.js';
import type { RobotsFile, RobotsGroup, RobotsRule } from './parse-robots.js';

/** The verdict of a robots.txt on one URL for one crawler. Pure. */

/** The policy by which a crawler finds its rules. */
export interface RobotsPolicy {
  /** Product tokens; the first one that the file names is used. */
  readonly tokens: readonly string[];
  /** Whether the group of `*` applies if no token is named; default: yes (RFC 9309 §2.2.1). */
  readonly followsWildcardGroup?: boolean;
}

/**
 * The groups that apply to a crawler: all groups of its first token that the file names. None: everything is allowed. The same groups are
 * always the same array.
 */
export type GroupFinder = (policy: RobotsPolicy) => readonly RobotsGroup[];

/**
 * Names are compared ignoring case. Only the product token of a name in the file counts (`Googlebot2` is Googlebot's). A crawler whose own
 * name has characters outside product tokens is compared by its whole name.
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

/** One array for each name, made when it is first needed, and shared by names with the same groups. */
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

/** Rules of groups that count as one, in the file's order. */
export function rulesOf(groups: readonly RobotsGroup[]): RobotsRule[] {
  return groups.flatMap(({ rules }) => rules);
}

/** Delay of groups that count as one: seconds between two requests; 0: none. */
export function crawlDelayOf(groups: readonly RobotsGroup[]): number {
  return groups.reduce((most, { crawlDelay = 0 }) => Math.max(most, crawlDelay), 0);
}

/** Characters that a matcher may still examine. Below 0: the matcher stopped without a verdict. */
export interface Effort {
  left: number;
}

/** Limit for one URL, which is judged without a yield: at most 40 ms (at the rate in judge-urls.ts). */
export const MAX_EFFORT_PER_URL = 2_500_000;

/**
 * @param effort reduced by the approximate cost of the URL; default: unlimited.
 * @returns the rule that disallows a URL (its path, and the query after `?`); null: allowed, or stopped by the limit.
 */
export type RuleMatcher = (url: string, effort?: Effort) => RobotsRule | null;

interface Compiled {
  readonly rule: RobotsRule;
  /** Index in the file. */
  readonly order: number;
  /** Octets of the canonical path: the longest match wins. */
  readonly priority: number;
  /** Required start of a URL. */
  readonly prefix: string;
  /** Parts that must follow, in this order. */
  readonly parts: readonly { readonly text: string; readonly find: FindPart }[];
  /** The last part, or the prefix if there are no parts, must end the URL. */
  readonly isAnchored: boolean;
}

/**
 * The longest matching rule wins, and allow wins a tie; nothing disallows /robots.txt (RFC 9309 §2.2.2). Rules are looked up by their
 * prefixes, so that the cost of a URL grows only with the rules that could match it.
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
      // The look-up reads the whole key.
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

/** An upper bound of the examined characters. */
function effortOf(path: string, { prefix, parts, isAnchored }: Compiled): number {
  if (parts.length === 0) return 1;
  if (parts.length === 1 && isAnchored) return 1 + parts[0]!.text.length;
  return parts.length + path.length - prefix.length;
}

/** Longest first, then allow, then the file's order. */
function byRank(one: Compiled, other: Compiled): number {
  const isDisallow = ({ rule }: Compiled) => Number(rule.type === 'disallow');
  return other.priority - one.priority || isDisallow(one) - isDisallow(other) || one.order - other.order;
}

/** A repeated rule is dropped, because it would add the same cost to each URL. */
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

/** The rule's patterns, in the form of canonical paths. */
function patternsOf({ type, path }: RobotsRule): string[] {
  // A rule without a path has no effect (RFC 9309 §2.2.2: "Disallow:" allows everything).
  if (path === '') return [];
  const pattern = canonicalPattern(path);
  // Google also applies `Allow: /dir/index.html` to /dir/. It can only allow more.
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

/** The leftmost match of a part leaves the most text for the later parts, so no backtracking is needed. */
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
