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
import type { RetrievalEvidence } from '../facts/retrievals.js';

/** A check runs in one event-loop turn, and the website's owner controls the size of rules and paths. So the work is limited in characters, as in judge-urls.ts. */

/** For one check: 0.2 s of CPU for a file of wildcards alone (by the measure of judge-urls.ts). */
const MAX_EFFORT = 12_500_000;
/** For compiling one rule, in addition to its characters. */
const EFFORT_PER_RULE = 100;

/** The result of a robots.txt for one crawler and one path. */
export type Ruling =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'disallowed'; readonly rule: string }
  /** The check would take too long. */
  | { readonly kind: 'given_up' };
export type RobotsRuling = (policy: RobotsPolicy, path: string) => Ruling;

/** @param content of any size. All paths share one limit of work; paths beyond it are given up */
export function rulingOf(content: string): RobotsRuling {
  const find = createGroupFinder(parseRobots(content));
  // Compiling the rules is the main cost of a long file, so crawlers of one group share them.
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

/** Unknown, because the work exceeded its limit. */
export function tooManyRules(more: RetrievalEvidence = {}): Judgement {
  return unknown('robots.txt has so many rules and wildcards that it would take too long to apply them.', {
    outcome: 'partial',
    ...more,
  });
}
