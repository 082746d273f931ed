import type { GiveTurn } from '../../pacing/turns.js';
import { createRuleMatcher, type Effort, MAX_EFFORT_PER_URL, rulesOf } from '../../robots/match-rules.js';
import type { RobotsGroup, RobotsRule } from '../../robots/parse-robots.js';

/** URLs that crawlers asked for, held against the groups of a robots.txt. The website's owner sizes both, so the work is counted in characters. */

/** Of one answer: 2 to 3 s of CPU for files of wildcards alone (measured). */
const MAX_EFFORT = 200_000_000;
/** To make one rule ready, beside its characters. */
const EFFORT_PER_RULE = 100;
/** Pairs of URL and crawler that one answer finds disallowed: they are sorted in one go. */
const MAX_DISALLOWED = 50_000;

export interface AskedUrl {
  readonly botName: string;
  readonly path: string;
  readonly url: string;
  readonly requests: number;
  readonly lastSeen: number;
}

/** Requests of one crawler for one URL that one rule disallowed, in the time of any version that had the rule. */
export interface DisallowedUrl extends AskedUrl {
  readonly rule: RobotsRule;
}

/** What an answer has found, and may still cost. */
export interface Judging {
  readonly found: Map<string, DisallowedUrl>;
  readonly effort: Effort;
  readonly giveTurn: GiveTurn;
}

export function createJudging(giveTurn: GiveTurn, mostEffort = MAX_EFFORT): Judging {
  return { found: new Map(), effort: { left: mostEffort }, giveTurn };
}

/** As JSON: a path may hold whatever else stands between two values. */
export const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

/**
 * Adds to what is found. One set of groups after the other, so that one matcher is held at a time.
 * @param groupsOfBots the same groups are the same array.
 * @returns false where the answer's effort ran out, or a URL was given up.
 */
export async function judgeUrls(
  urls: readonly AskedUrl[],
  groupsOfBots: ReadonlyMap<string, readonly RobotsGroup[]>,
  judging: Judging,
): Promise<boolean> {
  const byGroups = new Map<readonly RobotsGroup[], AskedUrl[]>();
  for (const asked of urls) {
    const groups = groupsOfBots.get(asked.botName)!;
    const same = byGroups.get(groups);
    if (same === undefined) byGroups.set(groups, [asked]);
    else same.push(asked);
  }
  let isComplete = true;
  for (const [groups, own] of byGroups) {
    if (judging.effort.left <= 0) return false;
    const isJudged = await judgeByGroups(own, groups, judging);
    isComplete &&= isJudged;
  }
  return isComplete;
}

async function judgeByGroups(
  urls: readonly AskedUrl[],
  groups: readonly RobotsGroup[],
  { found, effort, giveTurn }: Judging,
): Promise<boolean> {
  await giveTurn();
  const rules = rulesOf(groups);
  effort.left -= rules.reduce((sum, { path }) => sum + EFFORT_PER_RULE + path.length, 0);
  const match = createRuleMatcher(rules);
  let isComplete = true;
  for (const asked of urls) {
    await giveTurn();
    const granted = Math.min(MAX_EFFORT_PER_URL, effort.left);
    if (granted <= 0) return false;
    const own: Effort = { left: granted };
    const rule = match(asked.url, own);
    effort.left -= granted - own.left;
    if (own.left < 0) isComplete = false;
    if (rule === null) continue;
    const key = keyOf(asked.botName, asked.url, rule.path);
    const known = found.get(key);
    if (known === undefined && found.size === MAX_DISALLOWED) {
      isComplete = false;
      continue;
    }
    found.set(key, {
      ...asked,
      rule,
      requests: asked.requests + (known?.requests ?? 0),
      lastSeen: Math.max(asked.lastSeen, known?.lastSeen ?? 0),
    });
  }
  return isComplete;
}
