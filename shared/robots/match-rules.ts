import { canonicalPath, canonicalPattern } from './canonical-path.js';
import { createFindPart, type FindPart } from './find-part.js';
import type { RobotsFile, RobotsRule } from './parse-robots.js';

/** What a robots.txt says to one crawler of one URL. Pure. */

/** How a crawler finds its rules. */
export interface Obedience {
  /** Product tokens, the first that the file names counts. */
  readonly tokens: readonly string[];
  /** Whether the group of `*` counts where none of them is named; default: yes (RFC 9309 §2.2.1). */
  readonly heedsEverybody?: boolean;
}

/** Rules of all groups of the first token that the file names, in the file's order. */
export function rulesFor({ groups }: RobotsFile, { tokens, heedsEverybody = true }: Obedience): RobotsRule[] {
  for (const token of heedsEverybody ? [...tokens, '*'] : tokens) {
    const own = groups.filter(({ userAgents }) => userAgents.some((agent) => addresses(agent, token)));
    if (own.length > 0) return own.flatMap(({ rules }) => rules);
  }
  return [];
}

/** Ignoring case. Of a name in the file only the product token counts (`Googlebot2` is Googlebot's), unless the crawler's own has more characters than one may. */
function addresses(agent: string, token: string): boolean {
  const isProductToken = /^[A-Za-z_-]+$/.test(token);
  const name = isProductToken ? (/^[A-Za-z_-]+/.exec(agent)?.[0] ?? agent) : agent;
  return name.toLowerCase() === token.toLowerCase();
}

/** @returns the rule that disallows a URL (its path, and the query behind `?`); null: it is allowed. */
export type Judge = (url: string) => RobotsRule | null;

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
export function createJudge(rules: readonly RobotsRule[]): Judge {
  const byPrefix = new Map<string, Compiled[]>();
  for (const compiled of rules.flatMap(compile)) {
    const same = byPrefix.get(compiled.prefix);
    if (same === undefined) byPrefix.set(compiled.prefix, [compiled]);
    else same.push(compiled);
  }
  for (const same of byPrefix.values()) same.sort(byRank);
  const lengths = [...new Set([...byPrefix.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  return (url) => {
    const path = canonicalPath(url);
    if (path === '/robots.txt') return null;
    let best: Compiled | null = null;
    for (const length of lengths) {
      if (length > path.length) break;
      for (const compiled of byPrefix.get(path.slice(0, length)) ?? []) {
        if (best !== null && byRank(best, compiled) <= 0) break;
        if (matchesRest(path, compiled)) best = compiled;
      }
    }
    return best?.rule.type === 'disallow' ? best.rule : null;
  };
}

/** Longest first, then allow, then as in the file. */
function byRank(one: Compiled, other: Compiled): number {
  const isDisallow = ({ rule }: Compiled) => Number(rule.type === 'disallow');
  return other.priority - one.priority || isDisallow(one) - isDisallow(other) || one.order - other.order;
}

function compile(rule: RobotsRule, order: number): Compiled[] {
  // A rule without a path says nothing (RFC 9309 §2.2.2: "Disallow:" allows everything).
  if (rule.path === '') return [];
  const whole = compilePattern(rule, order, canonicalPattern(rule.path));
  // Google takes `Allow: /dir/index.html` for /dir/, too. It can only allow more.
  const slash = rule.path.lastIndexOf('/');
  const isIndex = rule.type === 'allow' && slash >= 0 && rule.path.startsWith('/index.htm', slash);
  return isIndex
    ? [whole, compilePattern(rule, order, `${canonicalPattern(rule.path.slice(0, slash + 1))}$`)]
    : [whole];
}

function compilePattern(rule: RobotsRule, order: number, pattern: string): Compiled {
  const isAnchored = pattern.endsWith('$');
  const [prefix = '', ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
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
