import type { GiveTurn } from '../../pacing/turns.js';
import { createRuleMatcher, type Effort, MAX_EFFORT_PER_URL, rulesOf } from '../../robots/match-rules.js';
import type { RobotsGroup, RobotsRule } from '../../robots/parse-robots.js';

/**
 * Judges the URLs that crawlers requested by the groups of a robots.txt. The website's owner controls the size of both, so the work is
 * counted in characters.
 */

/** For one answer: 2 to 3 s of CPU for files that have only wildcards (measured). */
const MAX_EFFORT = 200_000_000;
/** Cost of preparing a rule, in addition to its characters. */
const EFFORT_PER_RULE = 100;
/** Maximum disallowed pairs of URL and crawler of one answer: they are sorted in one pass. */
const MAX_DISALLOWED = 50_000;

export interface RequestedUrl {
  readonly botName: string;
  readonly path: string;
  readonly url: string;
  readonly requests: number;
  readonly lastSeen: number;
}

/** Requests of one crawler for one URL that one rule disallowed, in the time of any version that had the rule. */
export interface DisallowedUrl extends RequestedUrl {
  readonly rule: RobotsRule;
}

/** The result of an answer so far, and its remaining effort. */
export interface Judging {
  readonly found: Map<string, DisallowedUrl>;
  readonly effort: Effort;
  readonly giveTurn: GiveTurn;
}

export function createJudging(giveTurn: GiveTurn, mostEffort = MAX_EFFORT): Judging {
  return { found: new Map(), effort: { left: mostEffort }, giveTurn };
}

/** As JSON, because a path can contain any separator. */
export const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

/**
 * Adds to the result. Crawlers with the same groups are judged together, so that only one matcher is in memory.
 * @param groupsOfBots the same groups are the same array.
 * @returns false if the answer's effort ran out or a URL was skipped.
 */
export async function judgeUrls(
  urls: readonly RequestedUrl[],
  groupsOfBots: ReadonlyMap<string, readonly RobotsGroup[]>,
  judging: Judging,
): Promise<boolean> {
  const byGroups = new Map<readonly RobotsGroup[], RequestedUrl[]>();
  for (const requested of urls) {
    const groups = groupsOfBots.get(requested.botName)!;
    const same = byGroups.get(groups);
    if (same === undefined) byGroups.set(groups, [requested]);
    else same.push(requested);
  }
  let isComplete = true;
  for (const [groups, ofGroups] of byGroups) {
    if (judging.effort.left <= 0) return false;
    const isJudged = await judgeByGroups(ofGroups, groups, judging);
    isComplete &&= isJudged;
  }
  return isComplete;
}

async function judgeByGroups(
  urls: readonly RequestedUrl[],
  groups: readonly RobotsGroup[],
  { found, effort, giveTurn }: Judging,
): Promise<boolean> {
  await giveTurn();
  const rules = rulesOf(groups);
  effort.left -= rules.reduce((sum, { path }) => sum + EFFORT_PER_RULE + path.length, 0);
  const match = createRuleMatcher(rules);
  let isComplete = true;
  for (const requested of urls) {
    await giveTurn();
    const granted = Math.min(MAX_EFFORT_PER_URL, effort.left);
    if (granted <= 0) return false;
    const ofUrl: Effort = { left: granted };
    const rule = match(requested.url, ofUrl);
    effort.left -= granted - ofUrl.left;
    if (ofUrl.left < 0) isComplete = false;
    if (rule === null) continue;
    const key = keyOf(requested.botName, requested.url, rule.path);
    const earlier = found.get(key);
    if (earlier === undefined && found.size === MAX_DISALLOWED) {
      isComplete = false;
      continue;
    }
    found.set(key, {
      ...requested,
      rule,
      requests: requested.requests + (earlier?.requests ?? 0),
      lastSeen: Math.max(requested.lastSeen, earlier?.lastSeen ?? 0),
    });
  }
  return isComplete;
}
