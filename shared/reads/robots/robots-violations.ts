import { createTurns, type GiveTurn } from '../../pacing/turns.js';
import type { AiIntent, BotCategory } from '../../requests/enriched-request.js';
import { candidatePaths, needsQuery } from '../../robots/candidate-paths.js';
import { createGroupFinder, type RobotsPolicy, rulesOf } from '../../robots/match-rules.js';
import type { RobotsFile, RobotsGroup, RobotsRule } from '../../robots/parse-robots.js';
import { robotsPolicyOf } from '../../robots/robots-policy.js';
import type { ClickHouseReader } from '../../store/client.js';
import { readMost } from '../answer/read-most.js';
import { oneOf } from '../sql/filters.js';
import { bots as botsRollup, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';
import { createJudging, type DisallowedUrl, judgeUrls, keyOf, type RequestedUrl } from './judge-urls.js';
import { candidatesOnly, readQueriedUrls } from './robots-sql.js';

/** Requests of verified crawlers that robots.txt disallowed at the time. */

/** Distinct pairs of URL and crawler that are judged for each version: the most requested ones. */
export const MAX_URLS = 20_000;
/** The limit for paths so long that the store's answer would exceed its size limit. */
const FEW_URLS = 2_000;

/** A version with the part of the window in which it was in force. */
export interface FileInForce {
  /** Parses the file, which can take a tenth of a second. A missing file has no groups: it disallows nothing. */
  read(): RobotsFile;
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
  /** The most requested of their URLs over all versions; of equal ones the first by name. */
  readonly example: string;
  readonly exampleRequests: number;
}

/**
 * @param bot one crawler by its name, or several by their family, ignoring case.
 * @returns most requests first; `isComplete` false if some requests were not judged.
 */
export async function findViolations(
  reader: ClickHouseReader,
  scope: Scope,
  { inForce, bot }: { inForce: readonly FileInForce[]; bot: string | undefined },
): Promise<{ violations: Violation[]; isComplete: boolean }> {
  const filters = { ...scope.filters, crawlers: { named: bot, verifications: ['verified'] } } as const;
  const verified = { ...scope, filters };
  const crawlers = inForce.length === 0 ? new Map() : await readCrawlers(reader, verified);
  const giveTurn = createTurns();
  const judging = createJudging(giveTurn);
  let isComplete = true;
  for (const { read, start, end } of inForce) {
    if (judging.effort.left <= 0) return { violations: foldUrls(judging.found.values()), isComplete: false };
    const window = { start, end, running: scope.window.running === true && end === scope.window.end };
    await giveTurn();
    const groupsOfBots = await disallowingGroups(read(), crawlers, giveTurn);
    if (groupsOfBots.size === 0) continue;
    const urls = await readUrls(reader, { ...verified, window }, groupsOfBots);
    const isJudged = await judgeUrls(urls.list, groupsOfBots, judging);
    isComplete &&= urls.isComplete && isJudged;
  }
  return { violations: foldUrls(judging.found.values()), isComplete };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const NONE_YET = { requests: 0, lastSeen: 0, example: '', exampleRequests: 0 };

/** By crawler, path and rule, most requests first. */
function foldUrls(urls: Iterable<DisallowedUrl>): Violation[] {
  const violations = new Map<string, Violation>();
  for (const { botName, path, rule, url, requests, lastSeen } of urls) {
    const key = keyOf(botName, path, rule.path);
    const earlier = violations.get(key) ?? NONE_YET;
    const isMost =
      requests > earlier.exampleRequests || (requests === earlier.exampleRequests && url < earlier.example);
    violations.set(key, {
      botName,
      path,
      rule,
      requests: earlier.requests + requests,
      lastSeen: Math.max(earlier.lastSeen, lastSeen),
      example: isMost ? url : earlier.example,
      exampleRequests: isMost ? requests : earlier.exampleRequests,
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

/** The crawlers in the window that robots.txt applies to, by name. */
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

/** Groups by crawler, for crawlers that the file disallows any path. The same groups are the same array. */
async function disallowingGroups(
  file: RobotsFile,
  crawlers: ReadonlyMap<string, RobotsPolicy>,
  giveTurn: GiveTurn,
): Promise<Map<string, readonly RobotsGroup[]>> {
  const groupsFor = createGroupFinder(file);
  const disallowing = new Map<readonly RobotsGroup[], boolean>();
  const groupsOfBots = new Map<string, readonly RobotsGroup[]>();
  for (const [name, policy] of crawlers) {
    await giveTurn();
    const groups = groupsFor(policy);
    // Most crawlers share the group of `*`.
    const disallows = disallowing.get(groups) ?? groups.some(disallowsAny);
    disallowing.set(groups, disallows);
    if (disallows) groupsOfBots.set(name, groups);
  }
  return groupsOfBots;
}

function disallowsAny({ rules }: RobotsGroup): boolean {
  return rules.some(({ type, path }) => type === 'disallow' && path !== '');
}

/**
 * Requested URLs of the crawlers that may be disallowed. Rollups have paths, and a flag for a query string. If the rules match query
 * strings, requests with one come from the raw rows.
 */
async function readUrls(
  reader: ClickHouseReader,
  scope: Scope,
  groupsOfBots: ReadonlyMap<string, readonly RobotsGroup[]>,
): Promise<{ list: RequestedUrl[]; isComplete: boolean }> {
  const rules = rulesOf([...new Set([...new Set(groupsOfBots.values())].flat())]);
  const botNames = [...groupsOfBots.keys()];
  const queries = needsQuery(rules);
  const limits = { most: MAX_URLS + 1, few: FEW_URLS };
  const [paths, queried] = await Promise.all([
    readMost(
      (limit) => readPaths(reader, scope, { rules, botNames, limit, isWithoutQuery: queries }),
      limits,
    ),
    queries && scope.filters.hasQuery !== false
      ? readMost(
          (limit) => readQueriedUrls(reader, scope, { botNames, paths: narrowed(rules, true), limit }),
          limits,
        )
      : { rows: [], isComplete: true },
  ]);
  const list = [
    ...paths.rows,
    ...queried.rows.map(({ path, query, bot_name, requests, last_seen_ms }) => ({
      botName: bot_name,
      path,
      url: `${path}?${query}`,
      requests,
      lastSeen: last_seen_ms,
    })),
  ];
  return { list, isComplete: paths.isComplete && queried.isComplete };
}

function narrowed(rules: readonly RobotsRule[], hasQuery: boolean) {
  const candidates = candidatePaths(rules, hasQuery);
  return candidates === null ? null : candidatesOnly(candidates);
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
): Promise<RequestedUrl[]> {
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
    // Rules without a query still see that there is one: `/page$` does not match it.
    url: has_query === 0 ? path : `${path}?`,
    requests,
    lastSeen: last_seen,
  }));
}
