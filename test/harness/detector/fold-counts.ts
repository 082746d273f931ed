import {
  type BotCounts,
  type ClientCounts,
  earliestAndLatest,
  failureKinds,
  type PathCounts,
  type SpanCounts,
} from '../../../services/detector/counts/span-counts.js';

/**
 * Joins two consecutive spans, for tests that have counts and no rows. The different paths of an address are
 * added up.
 */
export function foldCounts(a: SpanCounts, b: SpanCounts): SpanCounts {
  const sums = Object.fromEntries(
    Object.entries(a).flatMap(([field, value]) =>
      typeof value === 'number' ? [[field, value + (b[field as 'requests'] ?? 0)]] : [],
    ),
  ) as unknown as SpanCounts;
  return {
    ...sums,
    start: Math.min(a.start, b.start),
    failedAt: Object.fromEntries(
      failureKinds.map((kind) => [kind, earliestAndLatest([a.failedAt[kind], b.failedAt[kind]])]),
    ) as SpanCounts['failedAt'],
    minutes: [],
    byBot: folded(
      [...a.byBot, ...b.byBot],
      (bot) => `${bot.name}\0${bot.operator}\0${bot.verification}`,
      addBots,
    ),
    byClient: folded([...a.byClient, ...b.byClient], ({ ip }) => ip, addClients),
    unlisted: [...a.unlisted, ...b.unlisted],
    paths: folded([...a.paths, ...b.paths], ({ path, status }) => `${status} ${path}`, addPaths),
  };
}

function folded<Entry extends { readonly requests: number }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  add: (a: Entry, b: Entry) => Entry,
): Entry[] {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    const known = byKey.get(keyOf(entry));
    byKey.set(keyOf(entry), known === undefined ? entry : add(known, entry));
  }
  return [...byKey.values()].sort((a, b) => b.requests - a.requests);
}

const addBots = (a: BotCounts, b: BotCounts): BotCounts => ({
  ...(a.requests >= b.requests ? a : b),
  requests: a.requests + b.requests,
  notFound: a.notFound + b.notFound,
  rejected: a.rejected + b.rejected,
  status5xx: a.status5xx + b.status5xx,
  samplePath: a.samplePath || b.samplePath,
});

const addClients = (a: ClientCounts, b: ClientCounts): ClientCounts => ({
  ...(a.probes > b.probes || (a.probes === b.probes && a.requests >= b.requests) ? a : b),
  at: earliestAndLatest([a.at, b.at]),
  requests: a.requests + b.requests,
  pages: a.pages + b.pages,
  notFound: a.notFound + b.notFound,
  rejected: a.rejected + b.rejected,
  status5xx: a.status5xx + b.status5xx,
  probes: a.probes + b.probes,
  paths: Math.min(200, a.paths + b.paths),
  isPerson: a.isPerson || b.isPerson,
  samplePaths: [...new Set([...a.samplePaths, ...b.samplePaths])].slice(0, 3),
});

const addPaths = (a: PathCounts, b: PathCounts): PathCounts => ({ ...a, requests: a.requests + b.requests });
