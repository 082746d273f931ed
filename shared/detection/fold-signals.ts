import { isProbedPath } from './probes.js';
import {
  type BotSignal,
  type ClientSignal,
  MAX_BOTS,
  MAX_CLIENTS,
  MAX_DISTINCT_PATHS,
  MAX_OPEN_BOTS,
  MAX_OPEN_CLIENTS,
  MAX_PATHS,
  type MinuteSignal,
  type PathSignal,
} from './signal.js';
import { takesPages } from './takes-pages.js';

/** Counts of stretches of time put together. Pure. Counts are exact; lists are cut, so that what fell out of one before is missing. */

const MAX_SAMPLE_PATHS = 3;

/** Nothing was requested. @param start milliseconds since the epoch */
export function emptyMinute(start: number): MinuteSignal {
  return {
    minute: start,
    requests: 0,
    people: 0,
    bots: 0,
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
    botsNotFound: 0,
    botsOther4xx: 0,
    bots5xx: 0,
    byBot: [],
    byClient: [],
    failingPaths: [],
  };
}

/**
 * What both count together, beginning with the earlier of the two. They may be parts of one minute or stretches that follow each other.
 * Different paths of a client are added: from then on they are at most so many, not exactly.
 */
export function foldMinutes(a: MinuteSignal, b: MinuteSignal): MinuteSignal {
  return cutLists(foldOpen(a, b));
}

/** As long as lists of an interval that is over are. */
export function cutLists(counts: MinuteSignal): MinuteSignal {
  return { ...counts, byBot: keepBots(counts.byBot), byClient: keepClients(counts.byClient) };
}

/** As {@link foldMinutes}, of an interval that is still filled: its lists are longer. */
export function foldOpen(a: MinuteSignal, b: MinuteSignal): MinuteSignal {
  return {
    minute: Math.min(a.minute, b.minute),
    requests: a.requests + b.requests,
    people: a.people + b.people,
    bots: a.bots + b.bots,
    crawlers: a.crawlers + b.crawlers,
    aiBots: a.aiBots + b.aiBots,
    spoofed: a.spoofed + b.spoofed,
    undeclared: a.undeclared + b.undeclared,
    status4xx: a.status4xx + b.status4xx,
    notFound: a.notFound + b.notFound,
    rejected: a.rejected + b.rejected,
    status5xx: a.status5xx + b.status5xx,
    timed: a.timed + b.timed,
    timeTakenMs: a.timeTakenMs + b.timeTakenMs,
    bytesSent: a.bytesSent + b.bytesSent,
    botsNotFound: a.botsNotFound + b.botsNotFound,
    botsOther4xx: a.botsOther4xx + b.botsOther4xx,
    bots5xx: a.bots5xx + b.bots5xx,
    byBot: foldList(a.byBot, b.byBot, botKey, foldBots, (bots) => keepBots(bots, MAX_OPEN_BOTS)),
    byClient: foldList(a.byClient, b.byClient, clientKey, foldClients, (clients) =>
      keepClients(clients, MAX_OPEN_CLIENTS),
    ),
    failingPaths: foldList(a.failingPaths, b.failingPaths, pathKey, foldPaths, keepPaths),
  };
}

/** One entry for each claim and its verdict; undeclared agents by their operator. */
function botKey(bot: Pick<BotSignal, 'name' | 'operator' | 'verification'>): string {
  return `${bot.name}\0${bot.operator}\0${bot.verification}`;
}

function clientKey({ ip }: ClientSignal): string {
  return ip;
}

export function pathKey({ path, status }: Pick<PathSignal, 'path' | 'status'>): string {
  return `${status} ${path}`;
}

/**
 * The verified stay first, who can't be made up: whoever claims a hundred names must not push a search crawler out. A third of the places is for other
 * claims of crawlers that can be verified: names that are made up do not hide who passes for one. The rest is for those with most requests.
 * @returns the verified first, then by requests
 */
export function keepBots<Bot extends WeighedBot>(bots: readonly Bot[], most = MAX_BOTS): Bot[] {
  const inOrder = bots.toSorted(compareBots);
  if (bots.length <= most) return inOrder;
  const claims = inOrder.filter(
    ({ verification }) => verification === 'spoofed' || verification === 'pending',
  );
  const kept = new Set(claims.slice(0, Math.floor(most / 3)));
  for (const bot of inOrder) {
    if (kept.size >= most) break;
    kept.add(bot);
  }
  return inOrder.filter((bot) => kept.has(bot));
}

type WeighedBot = Pick<BotSignal, 'name' | 'operator' | 'verification' | 'requests'>;

function compareBots(a: WeighedBot, b: WeighedBot): number {
  const verified = Number(b.verification === 'verified') - Number(a.verification === 'verified');
  return verified || b.requests - a.requests || compare(botKey(a), botKey(b));
}

type WeighedClient = Pick<ClientSignal, 'requests' | 'pages' | 'probes' | 'verification'>;

/**
 * A third of the places is for those who take pages alone, as scrapers do, most pages first: a visitor with a browser makes more requests. As many, and
 * what those leave, are for those who probe, most probes first. The rest is for those with most requests.
 * @param clients where they are in the order in which they came, of equally heavy ones those that came last are kept @returns with most requests first
 */
export function keepClients<Client extends WeighedClient & Pick<ClientSignal, 'ip'>>(
  clients: readonly Client[],
  most = MAX_CLIENTS,
): Client[] {
  return keepLateClients(clients, most, ({ requests }) => requests).sort(compareClients);
}

/**
 * Which of them {@link keepClients} keeps. No addresses are compared, which costs most where most have one request.
 * @param weightOf requests that it is ranked by @returns in the order in which they came
 */
export function keepLateClients<Client extends WeighedClient>(
  clients: readonly Client[],
  most: number,
  weightOf: (client: Client) => number,
): Client[] {
  if (clients.length <= most) return [...clients];
  const third = Math.floor(most / 3);
  const late = clients.toReversed();
  const probers = late.filter(({ probes }) => probes > 0).sort((a, b) => b.probes - a.probes);
  const scrapers = late.filter(mayScrape).sort((a, b) => b.pages - a.pages);
  const kept = new Set(scrapers.slice(0, third));
  for (const prober of probers.slice(0, 2 * third - kept.size)) kept.add(prober);
  for (const client of late.sort((a, b) => weightOf(b) - weightOf(a))) {
    if (kept.size >= most) break;
    kept.add(client);
  }
  return clients.filter((client) => kept.has(client));
}

/** Whether it takes pages alone, as scrapers do. A verified crawler is no scraper. */
export function mayScrape(client: WeighedClient): boolean {
  return client.pages > 0 && client.verification !== 'verified' && takesPages(client);
}

function compareClients(
  a: Pick<ClientSignal, 'ip' | 'requests'>,
  b: Pick<ClientSignal, 'ip' | 'requests'>,
): number {
  return b.requests - a.requests || compare(a.ip, b.ip);
}

/** Those with most requests; what scanners ask for comes last, whatever it is answered: it says nothing of what fails. */
export function keepPaths<Path extends PathSignal>(paths: readonly Path[], most = MAX_PATHS): Path[] {
  const probed: Path[] = [];
  const others: Path[] = [];
  for (const one of paths) (isProbedPath(one.path, true) ? probed : others).push(one);
  return [...others.sort(comparePaths), ...probed.sort(comparePaths)].slice(0, most);
}

function comparePaths(a: PathSignal, b: PathSignal): number {
  return b.requests - a.requests || compare(pathKey(a), pathKey(b));
}

/** Most minutes that come late have empty lists: the other minute's list is returned as it is, which is in order and within its bound already. */
function foldList<Entry>(
  some: readonly Entry[],
  more: readonly Entry[],
  keyOf: (entry: Entry) => string,
  fold: (a: Entry, b: Entry) => Entry,
  keep: (entries: readonly Entry[]) => readonly Entry[],
): readonly Entry[] {
  if (more.length === 0) return some;
  if (some.length === 0) return more;
  const merged = new Map(some.map((entry) => [keyOf(entry), entry]));
  for (const entry of more) {
    const key = keyOf(entry);
    const known = merged.get(key);
    merged.set(key, known === undefined ? entry : fold(known, entry));
  }
  return keep([...merged.values()]);
}

function foldBots(a: BotSignal, b: BotSignal): BotSignal {
  const [first, second] = a.requests >= b.requests ? [a, b] : [b, a];
  return {
    ...first,
    requests: a.requests + b.requests,
    notFound: a.notFound + b.notFound,
    rejected: a.rejected + b.rejected,
    status5xx: a.status5xx + b.status5xx,
    samplePath: first.samplePath || second.samplePath,
  };
}

/** What a sample shows is taken of the part that probes, or else of the larger. */
function foldClients(a: ClientSignal, b: ClientSignal): ClientSignal {
  const isFirst = a.probes === b.probes ? a.requests >= b.requests : a.probes > b.probes;
  const [first, second] = isFirst ? [a, b] : [b, a];
  const claim = first.botName === '' && (second.botName !== '' || first.verification === '') ? second : first;
  return {
    ...first,
    requests: a.requests + b.requests,
    pages: a.pages + b.pages,
    notFound: a.notFound + b.notFound,
    rejected: a.rejected + b.rejected,
    status5xx: a.status5xx + b.status5xx,
    probes: a.probes + b.probes,
    paths: Math.min(MAX_DISTINCT_PATHS, a.paths + b.paths),
    isPerson: a.isPerson || b.isPerson,
    botName: claim.botName,
    verification: claim.verification,
    samplePaths: [...new Set([...first.samplePaths, ...second.samplePaths])].slice(0, MAX_SAMPLE_PATHS),
  };
}

function foldPaths(a: PathSignal, b: PathSignal): PathSignal {
  return { ...a, requests: a.requests + b.requests };
}

/** By code units: the same everywhere. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
