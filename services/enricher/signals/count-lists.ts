import type { Judgement } from '../../../shared/crawlers/judge-request.js';
import {
  keepBots,
  keepClients,
  keepLateClients,
  keepPaths,
  mayScrape,
  pathKey,
} from '../../../shared/detection/fold-signals.js';
import {
  MAX_BOTS,
  MAX_CLIENTS,
  MAX_OPEN_BOTS,
  MAX_OPEN_CLIENTS,
  type MinuteSignal,
  type PathSignal,
} from '../../../shared/detection/signal.js';
import { type BotCounts, countBot, newBot } from './count-bot.js';
import {
  type ClientCounts,
  countClient,
  newClient,
  noteImpostor,
  tellMinutesApart,
  toClientSignal,
} from './count-client.js';
import { cut } from './cut.js';
import type { Outcome } from './outcome.js';
import { clearPlaces, type PlaceCache, setAt, valueAt } from './place-cache.js';
import { type SignalRow, textOf } from './signal-row.js';

/** Bots, addresses and failing paths of a minute, or of the late minutes of an interval: changed in place, since this is done for every row. */
export interface ListCounts {
  /** Whether all addresses are told, as far as there is room; else those alone that stand out. */
  readonly isLive: boolean;
  /** By the claimed name, or by the operator where none is claimed. */
  bots: Map<string, BotCounts[]>;
  clients: Map<string, ClientCounts>;
  /** Requests of addresses that fell out: one that comes again is as heavy as before. A range bounds how many there are. */
  readonly fallen: Map<string, number>;
  failing: Map<string, CountedPath>;
}

type CountedPath = { -readonly [Field in keyof PathSignal]: PathSignal[Field] };

/** The lists as the detector gets them. */
export type ToldLists = Pick<MinuteSignal, 'byBot' | 'byClient' | 'failingPaths'>;

export const noLists: ToldLists = { byBot: [], byClient: [], failingPaths: [] };

/**
 * Above it the lighter half of a list goes, so that of whoever asks with very many addresses few bytes each are held. Far above what is kept in the
 * end.
 */
const MAX_COUNTED = 1_000;

/** Of a live minute's requests: what an address has that is told beyond the heaviest. */
const LEAST_SHARE = 0.005;

/** Pages in a list of five minutes. A scraper takes twice as many in each minute (services/detector/rules/scraping-client.ts). */
const FAST_PAGES = 4;

export function newLists(isLive: boolean): ListCounts {
  return { isLive, bots: new Map(), clients: new Map(), fallen: new Map(), failing: new Map() };
}

/** The counts by the places of addresses and judgements in a block, so that their texts are not looked up for each row. */
export interface BlockCaches {
  readonly clients: PlaceCache<ClientCounts>;
  readonly bots: PlaceCache<BotCounts>;
}

/** @param caches of the row's block; emptied where the lists are other ones. @param minute of the row */
export function countInLists(
  lists: ListCounts,
  row: SignalRow,
  outcome: Outcome,
  caches: BlockCaches,
  minute: number,
): void {
  if (row.judgement.traffic_class !== 'human')
    countBot(botOf(lists, row, caches.bots), row.target.path, outcome);
  const client = clientOf(lists, row, caches.clients);
  if (!lists.isLive) {
    tellMinutesApart(client, minute, row);
    noteImpostor(client, row);
  }
  countClient(client, row, outcome);
  if (outcome.isNotFound || outcome.isServerError) countPath(lists, row.target.path, row.status);
}

/** Entries of the lists together; the claims of one name are one. */
export function entriesOf({ bots, clients, failing }: ListCounts): number {
  return bots.size + clients.size + failing.size;
}

/** @param requests of the minute */
export function tellLists({ bots, clients, failing, isLive }: ListCounts, requests: number): ToldLists {
  const all = [...clients.values()];
  const told = isLive ? heaviestOf(all, requests) : keepClients(all.filter(standsOut));
  return {
    byBot: keepBots([...bots.values()].flat(), isLive ? MAX_OPEN_BOTS : MAX_BOTS),
    byClient: told.map(toClientSignal),
    failingPaths: keepPaths([...failing.values()]),
  };
}

/** As many as are kept in the end, and of further ones those that may be heavy in the end: on a busy website most that come once are not. */
function heaviestOf(clients: readonly ClientCounts[], requests: number): ClientCounts[] {
  const scrapers = clients.filter(mayScrape).length;
  const leastPages = scrapers > MAX_CLIENTS ? 2 : 1;
  return keepClients(clients, MAX_OPEN_CLIENTS).filter(
    (client, rank) =>
      rank < MAX_CLIENTS ||
      client.requests >= LEAST_SHARE * requests ||
      client.probes > 0 ||
      (client.pages >= leastPages && mayScrape(client)),
  );
}

function clientOf(lists: ListCounts, row: SignalRow, cache: PlaceCache<ClientCounts>): ClientCounts {
  const address = row.block.columns.texts.client_ip.ids[row.at]!;
  const before = valueAt(cache, address);
  if (before !== undefined) return before;
  const ip = textOf(row, 'client_ip');
  let client = lists.clients.get(ip);
  if (client === undefined) {
    if (lists.clients.size >= MAX_COUNTED) {
      halveClients(lists);
      clearPlaces(cache);
    }
    client = newClient(row, lists.fallen.get(ip) ?? 0);
    lists.clients.set(ip, client);
  }
  setAt(cache, address, client);
  return client;
}

function botOf(lists: ListCounts, row: SignalRow, cache: PlaceCache<BotCounts>): BotCounts {
  const judgement = row.block.judgement.ids[row.at]!;
  const before = valueAt(cache, judgement);
  if (before !== undefined) return before;
  const { bot_name, bot_operator } = row.judgement;
  const key = nameOrOperator(bot_name, bot_operator);
  let ofName = lists.bots.get(key);
  if (ofName === undefined) {
    // Names are made up by whoever likes.
    if (lists.bots.size >= MAX_COUNTED) {
      halveBots(lists);
      clearPlaces(cache);
    }
    ofName = [];
    lists.bots.set(key, ofName);
  }
  let bot = claimOf(ofName, row.judgement);
  if (bot === undefined) {
    bot = newBot(row);
    ofName.push(bot);
  }
  setAt(cache, judgement, bot);
  return bot;
}

function claimOf(bots: readonly BotCounts[], judged: Judgement): BotCounts | undefined {
  for (const bot of bots) {
    const { name, operator, verification } = bot;
    if (name !== judged.bot_name || operator !== judged.bot_operator) continue;
    if (verification === judged.bot_verification) return bot;
  }
  return undefined;
}

/** Not joined from name, operator and verdict, which would make a text for each row: a name has few operators and verdicts. */
function nameOrOperator(name: string, operator: string): string {
  return name === '' ? operator : name;
}

/** The verified stay, whoever makes up a thousand names. */
function halveBots(lists: ListCounts): void {
  const kept = new Map<string, BotCounts[]>();
  for (const bot of keepBots([...lists.bots.values()].flat(), MAX_COUNTED / 2)) {
    const key = nameOrOperator(bot.name, bot.operator);
    const ofName = kept.get(key);
    if (ofName === undefined) kept.set(key, [bot]);
    else ofName.push(bot);
  }
  lists.bots = kept;
}

function countPath(lists: ListCounts, path: string, status: number): void {
  const text = cut(path);
  const key = pathKey({ path: text, status });
  const known = lists.failing.get(key);
  if (known !== undefined) {
    known.requests += 1;
    return;
  }
  if (lists.failing.size >= MAX_COUNTED) {
    const heavier = keepPaths([...lists.failing.values()], MAX_COUNTED / 2);
    lists.failing = new Map(heavier.map((one) => [pathKey(one), one]));
  }
  lists.failing.set(key, { path: text, status, requests: 1 });
}

function halveClients(lists: ListCounts): void {
  const all = [...lists.clients.values()];
  lists.clients = new Map(keepLateClients(all, MAX_COUNTED / 2, weightOf).map((one) => [one.ip, one]));
  for (const client of all) if (!lists.clients.has(client.ip)) lists.fallen.set(client.ip, weightOf(client));
}

const weightOf = ({ before, requests }: ClientCounts) => before + requests;

/**
 * Whoever probes or takes page after page: what they do is told apart from everybody else's errors (services/detector/rules/remainder.ts).
 * And impostors, of whom an alert names the addresses.
 */
function standsOut({ probes, pages, isImpostor }: ClientCounts): boolean {
  return probes > 0 || pages >= FAST_PAGES || isImpostor;
}
