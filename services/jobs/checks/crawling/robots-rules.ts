import { createGroupFinder, createRuleMatcher, type RobotsPolicy, rulesOf } from '../../../../shared/robots/match-rules.js';
import { parseRobots } from '../../../../shared/robots/parse-robots.js';

/** What a robots.txt says to one crawler of one path: the rule that disallows it; null: it is allowed. */
export type RobotsRuling = (policy: RobotsPolicy, path: string) => string | null;

export function rulingOf(content: string): RobotsRuling {
  const find = createGroupFinder(parseRobots(content));
  return (policy, path) => {
    const rule = createRuleMatcher(rulesOf(find(policy)))(path);
    return rule === null ? null : `Disallow: ${rule.path.slice(0, 200)}`;
  };
}

export const googlebot: RobotsPolicy = { tokens: ['Googlebot'] };
export const bingbot: RobotsPolicy = { tokens: ['bingbot'] };
