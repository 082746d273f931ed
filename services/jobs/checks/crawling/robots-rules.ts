import {
  createGroupFinder,
  createRuleMatcher,
  type RobotsPolicy,
  type RuleMatcher,
  rulesOf,
} from '../../../../shared/robots/match-rules.js';
import { parseRobots, type RobotsGroup } from '../../../../shared/robots/parse-robots.js';

/** What a robots.txt says to one crawler of one path: the rule that disallows it; null: it is allowed. */
export type RobotsRuling = (policy: RobotsPolicy, path: string) => string | null;

export function rulingOf(content: string): RobotsRuling {
  const find = createGroupFinder(parseRobots(content));
  // A long file costs most where its rules are made ready; crawlers of one group share them.
  const matchers = new Map<readonly RobotsGroup[], RuleMatcher>();
  return (policy, path) => {
    const groups = find(policy);
    const match = matchers.get(groups) ?? createRuleMatcher(rulesOf(groups));
    matchers.set(groups, match);
    const rule = match(path);
    return rule === null ? null : `Disallow: ${rule.path.slice(0, 200)}`;
  };
}

export const googlebot: RobotsPolicy = { tokens: ['Googlebot'] };
export const bingbot: RobotsPolicy = { tokens: ['bingbot'] };
