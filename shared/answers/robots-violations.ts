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
  createJudge,
  type Judge,
  type Obedience,
  rulesOf,
} from '../robots/match-rules.js';
import { obedienceOf } from '../robots/obedience.js';
import type { RobotsFile, RobotsRule } from '../robots/parse-robots.js';

/** Requests of verified crawlers for what robots.txt disallowed them at the time. */

/** Distinct pairs of URL and crawler that are judged of each version; the most requested where there are more. */
export const MAX_URLS = 20_000;

/** Comparisons of a rule with a URL between two turns of the event loop, and in one answer: seconds of CPU for a file of wildcards alone. */
const COMPARISONS_PER_TURN = 100_000;
const MAX_COMPARISONS = 20_000_000;

/** A version as long as it stood inside the window. */
export interface StandingFile {
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
  requests: number;
  lastSeen: number;
  /** The most requested URL of them. */
  readonly example: string;
}

/**
 * @param bot one crawler by its name, or several by their family, ignoring case.
 * @returns most requests first; `isComplete` false where there was more than is judged.
 */
export async function findViolations(
  reader: ClickHouseReader,
  scope: Scope,
  { standing, bot }: { standing: readonly StandingFile[]; bot: string | undefined },
): Promise<{ violations: Violation[]; isComplete: boolean }> {
  const verified = { ...scope, filters: { ...scope.filters, verifiedOnly: true } } as const;
  const crawlers = standing.length === 0 ? new Map() : await readCrawlers(reader, verified, bot);
  const found = new Map<string, Violation>();
  const budget = { left: MAX_COMPARISONS };
  let isComplete = true;
  for (const { file, start, end } of standing) {
    const window = { start, end, running: scope.window.running === true && end === scope.window.end };
    const judges = judgesOf(file, crawlers);
    if (judges.size === 0) continue;
    const urls = await readUrls(reader, { ...verified, window }, judges);
    const isJudged = await judgeAll(urls.list, judges, found, budget);
    isComplete &&= urls.isComplete && isJudged;
  }
  const violations = [...found.values()].sort(
    (a, b) =>
      b.requests - a.requests ||
      compare(a.botName, b.botName) ||
      compare(a.path, b.path) ||
      compare(a.rule.path, b.rule.path),
  );
  return { violations, isComplete };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Those that were there and that robots.txt is for, by name. */
async function readCrawlers(
  reader: ClickHouseReader,
  scope: Scope,
  bot: string | undefined,
): Promise<Map<string, Obedience>> {
  const { claims } = await select(reader, scope, {
    name: 'robots.crawlers',
    from: [botsRollup, crawlerPaths],
    lists: { claims: { by: ['bot_name', 'bot_family', 'bot_category', 'ai_intent'] } },
    foldedHere: true,
    metrics: ['requests'],
  });
  const asked = bot?.toLowerCase();
  const crawlers = new Map<string, Obedience>();
  for (const { bot_name: name, bot_family: family, bot_category, ai_intent } of claims) {
    if (asked !== undefined && name.toLowerCase() !== asked && family.toLowerCase() !== asked) continue;
    const obedience = obedienceOf({
      name,
      family,
      category: bot_category as BotCategory | '',
      aiIntent: ai_intent as AiIntent | '',
    });
    if (obedience !== null) crawlers.set(name, obedience);
  }
  return crawlers;
}

interface BotJudge {
  readonly judge: Judge;
  readonly rules: readonly RobotsRule[];
  /** About as many rules are compared with each URL. */
  readonly cost: number;
}

/** Of those to whom the file disallows anything. */
function judgesOf(file: RobotsFile, crawlers: ReadonlyMap<string, Obedience>): Map<string, BotJudge> {
  const groupsFor = createGroupFinder(file);
  const places = new Map(file.groups.map((group, index) => [group, index]));
  const made = new Map<string, BotJudge | null>();
  const judges = new Map<string, BotJudge>();
  for (const [name, obedience] of crawlers) {
    const groups = groupsFor(obedience);
    // Most crawlers share the group of `*`.
    const key = groups.map((group) => places.get(group)).join();
    const known = made.get(key);
    const judge = known === undefined ? judgeOf(rulesOf(groups)) : known;
    made.set(key, judge);
    if (judge !== null) judges.set(name, judge);
  }
  return judges;
}

/** null: nothing is disallowed. */
function judgeOf(rules: readonly RobotsRule[]): BotJudge | null {
  if (!rules.some(({ type, path }) => type === 'disallow' && path !== '')) return null;
  // Rules are found by what they begin with; those with a wildcard mostly begin alike.
  const wildcards = rules.filter(({ path }) => path.includes('*')).length;
  return { judge: createJudge(rules), rules, cost: 1 + wildcards + Math.ceil(rules.length / 50) };
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
  judges: ReadonlyMap<string, BotJudge>,
): Promise<{ list: AskedUrl[]; isComplete: boolean }> {
  const rules = [...new Set(judges.values())].flatMap((judge) => judge.rules);
  const botNames = [...judges.keys()];
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
  judges: ReadonlyMap<string, BotJudge>,
  found: Map<string, Violation>,
  budget: { left: number },
): Promise<boolean> {
  let turn = 0;
  for (const { botName, path, url, requests, lastSeen } of urls) {
    const { judge, cost } = judges.get(botName)!;
    turn += cost;
    budget.left -= cost;
    if (budget.left < 0) return false;
    if (turn > COMPARISONS_PER_TURN) {
      turn = 0;
      await nextTurn();
    }
    const rule = judge(url);
    if (rule === null) continue;
    // As JSON: a path may hold whatever else stands between two values.
    const key = JSON.stringify([botName, path, rule.path]);
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, { botName, path, rule, requests, lastSeen, example: url });
    } else {
      known.requests += requests;
      known.lastSeen = Math.max(known.lastSeen, lastSeen);
    }
  }
  return true;
}
