import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import {
  createGroupFinder,
  createRuleMatcher,
  type Effort,
  MAX_EFFORT_PER_URL,
  type RobotsPolicy,
  type RuleMatcher,
  rulesOf,
} from '../../../../shared/robots/match-rules.js';
import { parseRobots, type RobotsGroup } from '../../../../shared/robots/parse-robots.js';
import { unknown } from '../facts/check.js';
import type { Told } from '../facts/retrievals.js';

/** A check judges in one turn, and the website's owner sizes both the rules and the paths: so the work is counted in characters, as in judge-urls.ts. */

/** Of one check: 0.2 s of CPU for a file of wildcards alone (by the measure of judge-urls.ts). */
const MAX_EFFORT = 12_500_000;
/** To make one rule ready, beside its characters. */
const EFFORT_PER_RULE = 100;

/** What a robots.txt says to one crawler of one path. */
export type Ruling =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'disallowed'; readonly rule: string }
  /** It would take too long to tell. */
  | { readonly kind: 'given_up' };
export type RobotsRuling = (policy: RobotsPolicy, path: string) => Ruling;

/** @param content of any size; all paths together cost a bounded time, and those behind it are given up. */
export function rulingOf(content: string): RobotsRuling {
  const find = createGroupFinder(parseRobots(content));
  // A long file costs most where its rules are made ready; crawlers of one group share them.
  const matchers = new Map<readonly RobotsGroup[], RuleMatcher | null>();
  let left = MAX_EFFORT;

  function matcherOf(groups: readonly RobotsGroup[]): RuleMatcher | null {
    const rules = rulesOf(groups);
    const effort = rules.reduce((sum, { path }) => sum + EFFORT_PER_RULE + path.length, 0);
    if (effort > left) return null;
    left -= effort;
    return createRuleMatcher(rules);
  }

  return (policy, path) => {
    const groups = find(policy);
    const known = matchers.get(groups);
    const match = known === undefined ? matcherOf(groups) : known;
    matchers.set(groups, match);
    const granted = Math.min(MAX_EFFORT_PER_URL, left);
    if (match === null || granted <= 0) return { kind: 'given_up' };
    const effort: Effort = { left: granted };
    const rule = match(path, effort);
    left -= granted - effort.left;
    if (effort.left < 0) return { kind: 'given_up' };
    return rule === null
      ? { kind: 'allowed' }
      : { kind: 'disallowed', rule: `Disallow: ${rule.path.slice(0, 200)}` };
  };
}

export const googlebot: RobotsPolicy = { tokens: ['Googlebot'] };
export const bingbot: RobotsPolicy = { tokens: ['bingbot'] };

/** Unknown, because rulings were given up. */
export function tooManyRules(more: Told = {}): Judgement {
  return unknown('robots.txt has so many rules and wildcards that it would take too long to apply them.', {
    outcome: 'partial',
    ...more,
  });
}
