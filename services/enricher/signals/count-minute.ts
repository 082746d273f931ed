import { keepBots, keepClients, keepPaths, pathKey } from '../../../shared/detection/fold-signals.js';
import type { MinuteSignal, PathSignal } from '../../../shared/detection/signal.js';
import { type BotCounts, countBot, newBot } from './count-bot.js';
import { type ClientCounts, countClient, newClient, toClientSignal } from './count-client.js';
import { cut } from './cut.js';
import type { Outcome } from './outcome.js';
import type { PlaceCache } from './place-cache.js';
import type { SignalRow } from './signal-row.js';

/** The requests of one minute of one website, as they are counted: changed in place, since this is done for every row. */
export interface MinuteCounts {
  readonly minute: number;
  /** Whether all addresses are told, as far as there is room; else those alone that stand out. */
  readonly isLive: boolean;
  requests: number;
  people: number;
  crawlers: number;
  aiBots: number;
  spoofed: number;
  undeclared: number;
  status4xx: number;
  notFound: number;
  rejected: number;
  status5xx: number;
  timed: number;
  timeTakenMs: number;
  bytesSent: number;
  /** By the claimed name, or by the operator where none is claimed. */
  bots: Map<string, BotCounts[]>;
  clients: Map<string, ClientCounts>;
  failing: Map<string, CountedPath>;
}

type CountedPath = { -readonly [Field in keyof PathSignal]: PathSignal[Field] };

/** Above it the lighter half of a list goes, so that whoever asks with a million addresses costs a bounded number of bytes. Far above what is kept in the end. */
const MAX_COUNTED = 1_000;

/** The table takes up to 2^53 of each row. A thousand such minutes added up are still whole numbers. */
const MOST_BYTES = 2 ** 43;

/** Pages in one minute, half of what is a scraper's. */
const FAST_PAGES = 4;

/** @param minute its beginning, milliseconds since the epoch @param isLive whether all addresses are told */
export function newMinute(minute: number, isLive: boolean): MinuteCounts {
  return {
    minute,
    isLive,
    requests: 0,
    people: 0,
    crawlers: 0,
    aiBots: 0,
    spoofed: 0,
    undeclared: 0,
    status4xx: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    timed: 0,
    timeTakenMs: 0,
    bytesSent: 0,
    bots: new Map(),
    clients: new Map(),
    failing: new Map(),
  };
}

/** The counts of a minute by the places of addresses and judgements in a block, so that their texts are not looked up for each row. */
export interface BlockCaches {
  readonly clients: PlaceCache<ClientCounts>;
  readonly bots: PlaceCache<BotCounts>;
}

/** @param place of the row's address and of its judgement in the block. @param caches emptied where the minute is another one */
export function countRequest(
  counts: MinuteCounts,
  row: SignalRow,
  outcome: Outcome,
  caches: BlockCaches,
  place: { readonly address: number; readonly judgement: number },
): void {
  countTotals(counts, row, outcome);
  if (row.traffic_class !== 'human')
    countBot(botOf(counts, row, caches.bots, place.judgement), row.path, outcome);
  countClient(clientOf(counts, row, caches.clients, place.address), row, outcome);
  if (outcome.isNotFound || outcome.isServerError) countPath(counts, row.path, row.status);
}

function clientOf(
  counts: MinuteCounts,
  row: SignalRow,
  cache: PlaceCache<ClientCounts>,
  address: number,
): ClientCounts {
  const before = cache.get(address);
  if (before !== undefined) return before;
  let client = counts.clients.get(row.client_ip);
  if (client === undefined) {
    if (counts.clients.size >= MAX_COUNTED) {
      halveClients(counts);
      cache.clear();
    }
    client = newClient(row);
    counts.clients.set(row.client_ip, client);
  }
  cache.set(address, client);
  return client;
}

function countTotals(counts: MinuteCounts, row: SignalRow, outcome: Outcome): void {
  counts.requests += 1;
  counts.bytesSent += row.bytes_sent;
  if (row.time_taken_ms !== null) {
    counts.timed += 1;
    counts.timeTakenMs += row.time_taken_ms;
  }
  if (row.status >= 400 && row.status < 500) counts.status4xx += 1;
  if (outcome.isNotFound) counts.notFound += 1;
  if (outcome.isRejected) counts.rejected += 1;
  if (outcome.isServerError) counts.status5xx += 1;
  switch (row.traffic_class) {
    case 'human':
      counts.people += 1;
      break;
    case 'search_bot':
      counts.crawlers += 1;
      break;
    case 'ai_bot':
      counts.aiBots += 1;
      break;
    case 'spoofed_bot':
      counts.spoofed += 1;
      break;
    case 'undeclared_agent':
      counts.undeclared += 1;
  }
}

function botOf(
  counts: MinuteCounts,
  row: SignalRow,
  cache: PlaceCache<BotCounts>,
  judgement: number,
): BotCounts {
  const before = cache.get(judgement);
  if (before !== undefined) return before;
  const key = botKey(row.bot_name, row.bot_operator);
  let ofName = counts.bots.get(key);
  if (ofName === undefined) {
    // Names are made up by whoever likes.
    if (counts.bots.size >= MAX_COUNTED) {
      halveBots(counts);
      cache.clear();
    }
    ofName = [];
    counts.bots.set(key, ofName);
  }
  let bot = ofName.find(
    ({ name, operator, verification }) =>
      verification === row.bot_verification && name === row.bot_name && operator === row.bot_operator,
  );
  if (bot === undefined) {
    bot = newBot(row);
    ofName.push(bot);
  }
  cache.set(judgement, bot);
  return bot;
}

/** None is put together for a row: a name has few operators and verdicts. */
function botKey(name: string, operator: string): string {
  return name === '' ? operator : name;
}

/** The verified stay, whoever makes up a thousand names. */
function halveBots(counts: MinuteCounts): void {
  const kept = new Map<string, BotCounts[]>();
  for (const bot of keepBots([...counts.bots.values()].flat(), MAX_COUNTED / 2)) {
    const key = botKey(bot.name, bot.operator);
    const ofName = kept.get(key);
    if (ofName === undefined) kept.set(key, [bot]);
    else ofName.push(bot);
  }
  counts.bots = kept;
}

function countPath(counts: MinuteCounts, path: string, status: number): void {
  const text = cut(path);
  const key = pathKey({ path: text, status });
  const known = counts.failing.get(key);
  if (known !== undefined) {
    known.requests += 1;
    return;
  }
  if (counts.failing.size >= MAX_COUNTED) {
    const heavier = keepPaths([...counts.failing.values()], MAX_COUNTED / 2);
    counts.failing = new Map(heavier.map((one) => [pathKey(one), one]));
  }
  counts.failing.set(key, { path: text, status, requests: 1 });
}

function halveClients(counts: MinuteCounts): void {
  const heavier = keepClients([...counts.clients.values()], MAX_COUNTED / 2);
  counts.clients = new Map(heavier.map((one) => [one.ip, one]));
}

/**
 * Whoever probes or takes page after page: what they do is told apart from everybody else's errors (services/detector/rules/remainder.ts).
 * And impostors, of whom an alert names the addresses.
 */
function standsOut({ probes, pages: taken, verification }: ClientCounts): boolean {
  return probes > 0 || taken >= FAST_PAGES || verification === 'spoofed';
}

/** What is told of the minute. */
export function toSignal(counts: MinuteCounts): MinuteSignal {
  const { bots, clients, failing, isLive } = counts;
  const told: ClientCounts[] = [];
  for (const client of clients.values()) if (isLive || standsOut(client)) told.push(client);
  return {
    minute: counts.minute,
    requests: counts.requests,
    people: counts.people,
    bots: counts.requests - counts.people,
    crawlers: counts.crawlers,
    aiBots: counts.aiBots,
    spoofed: counts.spoofed,
    undeclared: counts.undeclared,
    status4xx: counts.status4xx,
    notFound: counts.notFound,
    rejected: counts.rejected,
    status5xx: counts.status5xx,
    timed: counts.timed,
    timeTakenMs: counts.timeTakenMs,
    bytesSent: Math.min(counts.bytesSent, MOST_BYTES),
    byBot: keepBots([...bots.values()].flat()),
    byClient: keepClients(told).map(toClientSignal),
    failingPaths: keepPaths([...failing.values()]),
  };
}
