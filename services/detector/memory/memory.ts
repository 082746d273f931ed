import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS } from '../../../shared/durations.js';
import type { Failures, Remainder } from '../counts/remainder.js';
import { type BotCounts, MAX_BOTS, type SpanCounts } from '../counts/span-counts.js';
import { type Absences, noteAbsence, usualAbsence } from './absences.js';
import { count, newTally, rateOf, shareOf, type Tally } from './tally.js';

/**
 * The memory of a website beyond its baselines: bots, crawlers, and usual rates of errors and impostors.
 * Clients choose names, so everything is bounded and in Maps. Only verified requests of a crawler count:
 * otherwise a stranger could use its name for a week, stop, and cause an alert about the crawler's absence.
 */

export interface BotSeen {
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Over the whole time. */
  readonly requests: number;
}

/** A family of crawlers, which is those of one operator. */
export interface CrawlerMemory {
  /** Names of its crawlers, for suppressions: a family is suppressed if all of them are. */
  readonly names: readonly string[];
  readonly isSearch: boolean;
  readonly firstSeen: number;
  /** The interval of its last fetch, milliseconds since the epoch. */
  readonly lastSeen: number;
  /** Time since its last fetch, without times in which no logs were delivered; milliseconds. */
  readonly awayMs: number;
  /** Its longest usual absence; undefined: it is not known well enough. */
  readonly usualAwayMs: number | undefined;
  /** Intervals in which it came. */
  readonly visitedIntervals: number;
}

/**
 * Usual responses to one crawler. An operator's crawlers differ: a website may serve one and refuse another.
 */
export interface UsualOfCrawler {
  readonly firstSeen: number;
  /** Verified requests only. */
  readonly requests: number;
  /** Usual shares of its verified requests, 0 to 1. */
  readonly errorShare: number;
  readonly rejectedShare: number;
}

interface NamedCrawler {
  readonly name: string;
  readonly firstSeen: number;
  requests: number;
  /** Verified requests, errors, refusals. */
  readonly tally: Tally;
}

export interface CrawlerRecord {
  /** Its crawlers by name, in the order of their first visits. */
  named: NamedCrawler[];
  isSearch: boolean;
  readonly firstSeen: number;
  lastSeen: number;
  awayMs: number;
  /**
   * Whether it may have come since `lastSeen` with a claim that is not verified yet. Such an absence is not
   * learned.
   */
  isUnsure?: boolean;
  requests: number;
  visitedIntervals: number;
  readonly absences: Absences;
}

export interface Memory {
  readonly bots: Map<string, BotSeen>;
  readonly crawlers: Map<string, CrawlerRecord>;
  /** Requests by impostors and undeclared agents, by `kind|name`. */
  readonly unwelcome: Map<string, Tally>;
  /**
   * Requests, server errors, all errors, pages not found; without clients that rules report
   * (counts/remainder.ts).
   */
  readonly website: Tally;
  /** The same sums over requests of people. */
  readonly people: Tally;
}

const MAX_CRAWLERS = 100;
const MAX_UNWELCOME = 300;
/** More than any operator has in the table of crawlers, the only names that can be verified. */
const MAX_NAMES = 50;
const FORGOTTEN_AFTER_MS = 90 * DAY_MS;
/** Weight of an unusual interval in the usual shares. */
const UNUSUAL_WEIGHT = 0.25;
/** Verified requests after which a crawler's shares are known. */
const KNOWN_REQUESTS = 200;
/** The assumed shares of an unknown website, and their weight in requests. */
const PRIOR = { status5xx: 0.005, errors: 0.03, notFound: 0.02, rejected: 0.01, count: 200 } as const;

export function newMemory(): Memory {
  return {
    bots: new Map(),
    crawlers: new Map(),
    unwelcome: new Map(),
    website: newTally(0, 4),
    people: newTally(0, 4),
  };
}

/** Adds the bots of an interval. Mutates. */
export function remember(memory: Memory, start: number, counts: SpanCounts, isDelivered: boolean): void {
  for (const bot of counts.byBot) {
    if (bot.verification === 'spoofed') noteUnwelcome(memory, 'spoofed', bot.name, start, bot.requests);
    else if (bot.verification === 'undeclared')
      noteUnwelcome(memory, 'undeclared', bot.operator, start, bot.requests);
    else noteBot(memory, bot.name, start, bot.requests);
  }
  const present = new Map<string, BotCounts[]>();
  for (const bot of counts.byBot) {
    if (!isCrawler(bot) || bot.verification !== 'verified') continue;
    present.set(familyOf(bot), [...(present.get(familyOf(bot)) ?? []), bot]);
  }
  const pending = new Set(
    counts.byBot.filter(({ verification }) => verification === 'pending').map(familyOf),
  );
  for (const [family, record] of memory.crawlers) {
    if (present.has(family)) continue;
    if (pending.has(family) || counts.lacksBots) record.isUnsure = true;
    else if (isDelivered) record.awayMs += INTERVAL_MS;
  }
  for (const [family, bots] of present) noteCrawler(memory, family, start, bots);
}

/**
 * Adds an interval's shares, which are the ones that spikes are judged by: without clients that rules report,
 * over all requests and over those of people. Mutates.
 */
export function rememberShares(memory: Memory, start: number, remainder: Remainder): void {
  rememberFailures(memory.website, start, remainder.requests, remainder);
  rememberFailures(memory.people, start, remainder.people, remainder.ofPeople);
}

function rememberFailures(tally: Tally, start: number, requests: number, failures: Failures): void {
  if (requests === 0) return;
  const { errors, notFound, status5xx } = failures;
  const usual = shares(tally);
  const isUnusual =
    (status5xx >= 10 && status5xx / requests > 3 * usual.status5xx) ||
    (errors >= 10 && errors / requests > 3 * usual.errors);
  count(tally, start, [requests, status5xx, errors, notFound], isUnusual ? UNUSUAL_WEIGHT : 1);
}

/** Usual shares without clients that rules report, over the requests of the website or of people. */
export function shares(tally: Tally): Failures {
  return {
    status5xx: shareOf(tally, 1, PRIOR.status5xx, PRIOR.count),
    errors: shareOf(tally, 2, PRIOR.errors, PRIOR.count),
    notFound: shareOf(tally, 3, PRIOR.notFound, PRIOR.count),
  };
}

/**
 * Usual requests in five minutes.
 * @param since when the website's first log arrived
 */
export function usualRate(
  memory: Memory,
  kind: 'spoofed' | 'undeclared',
  name: string,
  since: number,
  now: number,
): number {
  return rateOf(memory.unwelcome.get(`${kind}|${name}`), since, now, INTERVAL_MS);
}

export function crawlerMemory(memory: Memory, family: string): CrawlerMemory | undefined {
  const record = memory.crawlers.get(family);
  if (record === undefined) return undefined;
  const { named, isSearch, firstSeen, lastSeen, awayMs, visitedIntervals, absences } = record;
  return {
    names: named.map(({ name }) => name),
    isSearch,
    firstSeen,
    lastSeen,
    awayMs,
    usualAwayMs: usualAbsence(absences),
    visitedIntervals,
  };
}

export function usualOfCrawler(memory: Memory, family: string, name: string): UsualOfCrawler | undefined {
  const crawler = memory.crawlers.get(family)?.named.find((one) => one.name === name);
  if (crawler === undefined) return undefined;
  const { firstSeen, requests, tally } = crawler;
  return { firstSeen, requests, ...crawlerShares(tally) };
}

const crawlerShares = (tally: Tally) => ({
  errorShare: shareOf(tally, 1, PRIOR.errors, PRIOR.count),
  rejectedShare: shareOf(tally, 2, PRIOR.rejected, PRIOR.count),
});

function isCrawler({ category }: BotCounts): boolean {
  return category === 'search' || category === 'ai';
}

const familyOf = ({ family, name }: BotCounts) => family || name;

function noteBot(memory: Memory, name: string, at: number, requests: number): void {
  const known = memory.bots.get(name);
  if (known === undefined || at - known.lastSeen > FORGOTTEN_AFTER_MS) {
    if (known === undefined)
      makeRoom(memory.bots, MAX_BOTS, ({ requests: many, lastSeen }) => [many, lastSeen]);
    memory.bots.set(name, { firstSeen: at, lastSeen: at, requests });
    return;
  }
  memory.bots.set(name, { ...known, lastSeen: at, requests: known.requests + requests });
}

function noteUnwelcome(memory: Memory, kind: string, name: string, at: number, requests: number): void {
  const key = `${kind}|${name}`;
  let tally = memory.unwelcome.get(key);
  if (tally === undefined) {
    makeRoom(memory.unwelcome, MAX_UNWELCOME, ({ at: last, sums }) => [sums[0]!, last]);
    tally = newTally(at, 1);
    memory.unwelcome.set(key, tally);
  }
  count(tally, at, [requests]);
}

/** @param bots verified ones of the family */
function noteCrawler(memory: Memory, family: string, at: number, bots: readonly BotCounts[]): void {
  let record = memory.crawlers.get(family);
  if (record === undefined) {
    makeRoom(memory.crawlers, MAX_CRAWLERS, ({ requests, lastSeen }) => [requests, lastSeen]);
    record = {
      named: [],
      isSearch: false,
      firstSeen: at,
      lastSeen: at,
      awayMs: 0,
      requests: 0,
      visitedIntervals: 0,
      absences: [],
    };
    memory.crawlers.set(family, record);
  } else if (record.isUnsure !== true) {
    noteAbsence(record.absences, at, record.awayMs + INTERVAL_MS);
  }
  record.lastSeen = at;
  record.visitedIntervals += 1;
  record.awayMs = 0;
  record.isUnsure = false;
  for (const bot of bots) {
    record.requests += bot.requests;
    record.isSearch ||= bot.category === 'search';
    noteNamed(record.named, at, bot);
  }
}

function noteNamed(named: NamedCrawler[], at: number, bot: BotCounts): void {
  let crawler = named.find(({ name }) => name === bot.name);
  if (crawler === undefined) {
    if (named.length >= MAX_NAMES) return;
    crawler = { name: bot.name, firstSeen: at, requests: 0, tally: newTally(at, 3) };
    named.push(crawler);
  }
  const { requests, rejected } = bot;
  const errors = bot.notFound + bot.status5xx;
  const usual = crawlerShares(crawler.tally);
  // Until the crawler is known nothing is unusual: a crawler that is refused from its first fetch on is meant
  // to be.
  const isKnown = crawler.tally.sums[0]! >= KNOWN_REQUESTS;
  const isUnusual =
    isKnown &&
    (errors > 5 + 3 * requests * usual.errorShare || rejected > 5 + 3 * requests * usual.rejectedShare);
  crawler.requests += requests;
  count(crawler.tally, at, [requests, errors, rejected], isUnusual ? UNUSUAL_WEIGHT : 1);
}

/**
 * Deletes a tenth of the entries: those with fewest requests and, among these, the least recently seen. So
 * invented names displace only invented names.
 */
function makeRoom<Entry>(
  entries: Map<string, Entry>,
  most: number,
  rankOf: (entry: Entry) => readonly [requests: number, lastSeen: number],
): void {
  if (entries.size < most) return;
  const ranked = [...entries].map(([name, entry]) => [name, ...rankOf(entry)] as const);
  ranked.sort((a, b) => a[1] - b[1] || a[2] - b[2]);
  for (const [name] of ranked.slice(0, Math.ceil(most / 10))) entries.delete(name);
}
