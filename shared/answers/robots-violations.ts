import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { oneOf } from '../queries/filters.js';
import { pathMatches, readQueriedUrls } from '../queries/robots.js';
import { bots as botsRollup, crawlerPaths } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';
import { select } from '../queries/select.js';
import type { AiIntent, BotCategory } from '../requests/enriched-request.js';
import { candidatePaths, needsQuery } from '../robots/candidate-paths.js';
import {
  createGroupFinder,
  createRuleMatcher,
  type RobotsPolicy,
  type RuleMatcher,
  rulesOf,
} from '../robots/match-rules.js';
import type { RobotsFile, RobotsRule } from '../robots/parse-robots.js';
import { robotsPolicyOf } from '../robots/robots-policy.js';

/** Requests of verified crawlers for what robots.txt disallowed them at the time. */

/** Distinct pairs of URL and crawler that are judged of each version; the most requested where there are more. */
export const MAX_URLS = 20_000;

/** Comparisons of a rule with a URL between two turns of the event loop, and in one answer: seconds of CPU for a file of wildcards alone. */
const COMPARISONS_PER_TURN = 100_000;
const MAX_COMPARISONS = 20_000_000;

/** A version, for as long as it was in force inside the window. */
export interface FileInForce {
  readonly file: RobotsFile;
  /** Milliseconds since the epoch, half-open. */
  readonly start: number;
  readonly end: number;
}

export interface Violation {
  readonly botName: string;
  /** Without the query string. */
  readonly path: string;
  readonly rule: RobotsRule;
  readonly requests: number;
  readonly lastSeen: number;
  /** The most requested URL of them, over all versions; the first by name where several are. */
  readonly example: string;
  readonly exampleRequests: number;
}

/** Requests of one crawler for one URL that one rule disallowed, in the time of any version that had the rule. */
interface DisallowedUrl extends AskedUrl {
  readonly rule: RobotsRule;
}

/**
 * @param bot one crawler by its name, or several by their family, ignoring case.
 * @returns most requests first; `isComplete` false where there was more than is judged.
 */
export async function findViolations(
  reader: ClickHouseReader,
  scope: Scope,
  { inForce, bot }: { inForce: readonly FileInForce[]; bot: string | undefined },
): Promise<{ violations: Violation[]; isComplete: boolean }> {
  const filters = { ...scope.filters, verifiedOnly: true, crawlers: { named: bot } } as const;
  const verified = { ...scope, filters };
  const crawlers = inForce.length === 0 ? new Map() : await readCrawlers(reader, verified);
  const found = new Map<string, DisallowedUrl>();
  const budget = { left: MAX_COMPARISONS };
  let isComplete = true;
  for (const { file, start, end } of inForce) {
    const window = { start, end, running: scope.window.running === true && end === scope.window.end };
    const rulesOfBots = rulesForBots(file, crawlers);
    if (rulesOfBots.size === 0) continue;
    const urls = await readUrls(reader, { ...verified, window }, rulesOfBots);
    const isJudged = await judgeAll(urls.list, rulesOfBots, found, budget);
    isComplete &&= urls.isComplete && isJudged;
  }
  return { violations: foldUrls(found.values()), isComplete };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const NONE_YET = { requests: 0, lastSeen: 0, example: '', exampleRequests: 0 };

/** By crawler, path and rule, most requests first. */
function foldUrls(urls: Iterable<DisallowedUrl>): Violation[] {
  const violations = new Map<string, Violation>();
  for (const { botName, path, rule, url, requests, lastSeen } of urls) {
    const key = keyOf(botName, path, rule.path);
    const known = violations.get(key) ?? NONE_YET;
    const isMost =
      requests > known.exampleRequests || (requests === known.exampleRequests && url < known.example);
    violations.set(key, {
      botName,
      path,
      rule,
      requests: known.requests + requests,
      lastSeen: Math.max(known.lastSeen, lastSeen),
      example: isMost ? url : known.example,
      exampleRequests: isMost ? requests : known.exampleRequests,
    });
  }
  return [...violations.values()].sort(
    (a, b) =>
      b.requests - a.requests ||
      compare(a.botName, b.botName) ||
      compare(a.path, b.path) ||
      compare(a.rule.path, b.rule.path),
  );
}

/** As JSON: a path may hold whatever else stands between two values. */
const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);

/** Those that were there and that robots.txt is for, by name. */
async function readCrawlers(reader: ClickHouseReader, scope: Scope): Promise<Map<string, RobotsPolicy>> {
  const { claims } = await select(reader, scope, {
    name: 'robots.crawlers',
    from: [botsRollup, crawlerPaths],
    lists: { claims: { by: ['bot_name', 'bot_family', 'bot_category', 'ai_intent'] } },
    foldedHere: true,
    metrics: ['requests'],
  });
  const crawlers = new Map<string, RobotsPolicy>();
  for (const { bot_name: name, bot_family: family, bot_category, ai_intent } of claims) {
    const policy = robotsPolicyOf({
      name,
      family,
      category: bot_category as BotCategory | '',
      aiIntent: ai_intent as AiIntent | '',
    });
    if (policy !== null) crawlers.set(name, policy);
  }
  return crawlers;
}

interface BotRules {
  readonly match: RuleMatcher;
  readonly rules: readonly RobotsRule[];
  /** About as many rules are compared with each URL. */
  readonly cost: number;
}

/** Of those to whom the file disallows anything. */
function rulesForBots(file: RobotsFile, crawlers: ReadonlyMap<string, RobotsPolicy>): Map<string, BotRules> {
  const groupsFor = createGroupFinder(file);
  const places = new Map(file.groups.map((group, index) => [group, index]));
  const made = new Map<string, BotRules | null>();
  const rulesOfBots = new Map<string, BotRules>();
  for (const [name, policy] of crawlers) {
    const groups = groupsFor(policy);
    // Most crawlers share the group of `*`.
    const key = groups.map((group) => places.get(group)).join();
    const known = made.get(key);
    const botRules = known === undefined ? botRulesOf(rulesOf(groups)) : known;
    made.set(key, botRules);
    if (botRules !== null) rulesOfBots.set(name, botRules);
  }
  return rulesOfBots;
}

/** null: nothing is disallowed. */
function botRulesOf(rules: readonly RobotsRule[]): BotRules | null {
  if (!rules.some(({ type, path }) => type === 'disallow' && path !== '')) return null;
  // Rules are found by what they begin with; those with a wildcard mostly begin alike.
  const wildcards = rules.filter(({ path }) => path.includes('*')).length;
  return { match: createRuleMatcher(rules), rules, cost: 1 + wildcards + Math.ceil(rules.length / 50) };
}

interface AskedUrl {
  readonly botName: string;
  readonly path: string;
  readonly url: string;
  readonly requests: number;
  readonly lastSeen: number;
}

/**
 * What the crawlers asked for, of what may be disallowed. Rollups know paths, and whether a query string followed. Where the rules look into
 * that, requests that had one come from the raw rows.
 */
async function readUrls(
  reader: ClickHouseReader,
  scope: Scope,
  rulesOfBots: ReadonlyMap<string, BotRules>,
): Promise<{ list: AskedUrl[]; isComplete: boolean }> {
  const rules = [...new Set(rulesOfBots.values())].flatMap((botRules) => botRules.rules);
  const botNames = [...rulesOfBots.keys()];
  const queries = needsQuery(rules);
  const limit = MAX_URLS + 1;
  const [paths, queried] = await Promise.all([
    readPaths(reader, scope, { rules, botNames, limit, isWithoutQuery: queries }),
    queries && scope.filters.hasQuery !== false
      ? readQueriedUrls(reader, scope, { botNames, paths: narrowed(rules, true), limit })
      : [],
  ]);
  const list = [
    ...paths,
    ...queried.map(({ path, query, bot_name, requests, last_seen_ms }) => ({
      botName: bot_name,
      path,
      url: `${path}?${query}`,
      requests,
      lastSeen: last_seen_ms,
    })),
  ];
  const isComplete = paths.length <= MAX_URLS && queried.length <= MAX_URLS;
  return { list, isComplete };
}

function narrowed(rules: readonly RobotsRule[], hasQuery: boolean) {
  const expression = candidatePaths(rules, hasQuery);
  return expression === null ? null : pathMatches(expression);
}

async function readPaths(
  reader: ClickHouseReader,
  scope: Scope,
  {
    rules,
    botNames,
    limit,
    isWithoutQuery,
  }: { rules: readonly RobotsRule[]; botNames: readonly string[]; limit: number; isWithoutQuery: boolean },
): Promise<AskedUrl[]> {
  const { list } = await select(reader, scope, {
    name: 'robots.paths',
    from: [crawlerPaths],
    lists: { list: { by: ['path', 'bot_name', 'has_query'], limit } },
    metrics: ['requests', 'last_seen'],
    where: [
      oneOf('bot_name', botNames),
      ...(isWithoutQuery ? [oneOf('has_query', [0], 'UInt8')] : []),
      ...[narrowed(rules, false) ?? []].flat(),
    ],
  });
  return list.map(({ path, bot_name, has_query, requests, last_seen }) => ({
    botName: bot_name,
    path,
    // Rules that don't look into the query see that there is one: `/page$` ends before it.
    url: has_query === 0 ? path : `${path}?`,
    requests,
    lastSeen: last_seen,
  }));
}

/** @returns false where the budget ran out. */
async function judgeAll(
  urls: readonly AskedUrl[],
  rulesOfBots: ReadonlyMap<string, BotRules>,
  found: Map<string, DisallowedUrl>,
  budget: { left: number },
): Promise<boolean> {
  let turn = 0;
  for (const asked of urls) {
    const { match, cost } = rulesOfBots.get(asked.botName)!;
    turn += cost;
    budget.left -= cost;
    if (budget.left < 0) return false;
    if (turn > COMPARISONS_PER_TURN) {
      turn = 0;
      await nextTurn();
    }
    const rule = match(asked.url);
    if (rule === null) continue;
    const key = keyOf(asked.botName, asked.url, rule.path);
    const known = found.get(key);
    found.set(key, {
      ...asked,
      rule,
      requests: asked.requests + (known?.requests ?? 0),
      lastSeen: Math.max(asked.lastSeen, known?.lastSeen ?? 0),
    });
  }
  return true;
}
