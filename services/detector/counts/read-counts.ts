import { z } from 'zod';
import { MINUTE_MS } from '../../../shared/durations.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { Clause } from '../../../shared/reads/sql/clause.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { MAX_NAMED, spanClients, spanUnlisted } from './address-statements.js';
import { botsWithinBound } from './bots-within-bound.js';
import type { CountedSpans, CountsByWebsite, ReadCounts } from './counts-reader.js';
import { evidenceText, MAX_AGENT, MAX_TEXT } from './evidence-text.js';
import { type InSpan, readInPieces } from './read-in-pieces.js';
import type {
  AddressCounts,
  BotCounts,
  ClientCounts,
  PathCounts,
  RequestTimes,
  SpanCounts,
} from './span-counts.js';
import {
  decidedWebsites,
  lateVerification,
  spanBots,
  spanPaths,
  spanTotals,
  storedVerification,
  type Verification,
} from './span-statements.js';

/** The ids are part of the statement, and the embedded engine takes statements of up to 256 KiB. */
const MOST_WEBSITES = 500;
/** Rows that one list statement reads. The engine stores all of their addresses in memory. */
const MOST_ROWS = 6_000_000;

const text = z.string().transform((value) => evidenceText(value, MAX_TEXT));
const agent = z.string().transform((value) => evidenceText(value, MAX_AGENT));
const count = z.number();
const is = z.boolean();
const times = z.tuple([count, count]).transform(([first, last]): RequestTimes => ({ first, last }));

const inSpan = { website: z.string(), span: count };
const totalsRow = z.object({
  ...inSpan,
  ...{ requests: count, people: count, crawlers: count, aiBots: count, spoofed: count, undeclared: count },
  ...{
    status4xx: count,
    notFound: count,
    rejected: count,
    status5xx: count,
    timed: count,
    timeTakenMs: count,
  },
  ...{ notFoundAt: times, rejectedAt: times, status5xxAt: times },
  ...{ botsNotFound: count, botsOther4xx: count, bots5xx: count, pending: count, minuteBits: count },
});
const failures = { requests: count, notFound: count, rejected: count, status5xx: count };
const botRow = z.object({
  ...inSpan,
  ...{ name: text, family: text, operator: text, category: text, verification: text },
  ...failures,
  ...{ sampleIp: text, sampleUserAgent: agent, samplePath: text },
});
const clientRow = z.object({
  ...inSpan,
  ...{
    address: z.string(),
    country: text,
    asn: count,
    asName: text,
    pages: count,
    probes: count,
    paths: count,
    at: times,
  },
  ...failures,
  ...{ isPerson: is, botName: text, botCategory: text, verification: text, sampleUserAgent: agent },
  samplePaths: z.array(text),
});
const unlistedRow = z.object({
  ...inSpan,
  ...{ isProbing: is, isScraping: is, hasProbes: is, isScanning: is, isFailing: is, isPerson: is },
  ...{ claimed: text, verification: text, addresses: count, pages: count, probes: count },
  ...failures,
});
const pathRow = z.object({ ...inSpan, path: text, status: count, requests: count });

type TotalsRow = z.infer<typeof totalsRow>;

/** The lists of a span while they are being filled. */
interface Lists {
  readonly byBot: BotCounts[];
  readonly byClient: ClientCounts[];
  readonly unlisted: AddressCounts[];
  readonly paths: PathCounts[];
}
type ListsByWebsite = Map<string, Map<number, Lists>>;

/**
 * Reads the counts of spans. It needs one statement for the totals and up to four for the lists, and the same
 * again for websites with late verdicts.
 *
 * Any number of websites and spans is allowed: large reads are split into several statements. A span has at
 * most 2,000 bots, 232 addresses and 40 paths, which is 4 MB with texts of the greatest length. So one answer
 * fits at least 8 spans, or some thousands with ordinary traffic. In memory the texts of a span's bots are at
 * most 256 Ki characters, and those of its addresses about as many.
 */
export function createCountsReader(reader: ClickHouseReader, onLeftOut: OnLeftOut = () => {}): ReadCounts {
  return async (spans) => {
    const counts = new Map<string, ReadonlyMap<number, SpanCounts>>();
    for (const websiteIds of inPieces(spans.websiteIds, MOST_WEBSITES))
      for (const [website, ofWebsite] of await countSome(reader, { ...spans, websiteIds }, onLeftOut))
        counts.set(website, ofWebsite);
    return counts;
  };
}

/**
 * Called if a list of one span of one website is too large for the store to answer. That list is then empty.
 */
export type OnLeftOut = (
  list: 'bots' | 'clients' | 'unlisted_addresses' | 'paths',
  of: { readonly websiteId: string; readonly start: number },
) => void;

async function countSome(
  reader: ClickHouseReader,
  spans: CountedSpans,
  onLeftOut: OnLeftOut,
): Promise<CountsByWebsite> {
  const stored = await readTotals(reader, spans, storedVerification);
  const decided = await websitesWithVerdicts(reader, spans, stored);
  const late = { ...spans, websiteIds: [...decided] };
  const totals = stored.filter(({ website }) => !decided.has(website));
  const corrected = decided.size === 0 ? [] : await readTotals(reader, late, lateVerification);
  const lists: ListsByWebsite = new Map();
  const withoutBots = new Set<string>();
  const lackBots = (websiteId: string, start: number) => withoutBots.add(`${websiteId} ${start}`);
  const leftOut: OnLeftOut = (list, of) => {
    if (list === 'bots') lackBots(of.websiteId, of.start);
    onLeftOut(list, of);
  };
  const reading = { lists, leftOut, lackBots };
  await readLists(reader, spans, totals, { verification: storedVerification, ...reading });
  await readLists(reader, spans, corrected, { verification: lateVerification, ...reading });
  const counts = new Map<string, Map<number, SpanCounts>>();
  for (const row of [...totals, ...corrected].sort((a, b) => a.span - b.span)) {
    const start = spans.from + row.span * spans.lengthMs;
    const ofWebsite = counts.get(row.website) ?? new Map<number, SpanCounts>();
    const lacksBots = withoutBots.has(`${row.website} ${start}`);
    counts.set(
      row.website,
      ofWebsite.set(start, { ...spanCounts(row, start, listsOf(lists, row)), lacksBots }),
    );
  }
  return counts;
}

/** The websites where a pending claim was decided later. Only their rows are compared with verdicts. */
async function websitesWithVerdicts(
  reader: ClickHouseReader,
  spans: CountedSpans,
  totals: readonly TotalsRow[],
): Promise<Set<string>> {
  const websiteIds = [...new Set(totals.filter(({ pending }) => pending > 0).map(({ website }) => website))];
  if (websiteIds.length === 0) return new Set();
  const statement = decidedWebsites({ ...spans, websiteIds });
  const row = z.object({ website: z.string() });
  const decided = await reader.read({
    name: 'detector.late_verdicts',
    ...statement,
    row,
    caughtUpWith: ['bots_per_hour', 'claim_verdicts'],
  });
  return new Set(decided.map(({ website }) => website));
}

function readTotals(
  reader: ClickHouseReader,
  spans: CountedSpans,
  verification: Verification,
): Promise<TotalsRow[]> {
  return readInPieces(spans, (piece) =>
    reader.read({
      name: 'detector.totals',
      ...spanTotals(piece, verification),
      row: totalsRow,
      caughtUpWith: verification.caughtUpWith,
    }),
  );
}

interface ListReading {
  readonly verification: Verification;
  /** Filled by the read. */
  readonly lists: ListsByWebsite;
  readonly leftOut: OnLeftOut;
  /** Called if the list of bots of a span is not complete. */
  lackBots(websiteId: string, start: number): void;
}

/** Adds the lists of the spans that have requests. */
async function readLists(
  reader: ClickHouseReader,
  spans: CountedSpans,
  totals: readonly TotalsRow[],
  { verification, lists, leftOut, lackBots }: ListReading,
): Promise<void> {
  const { caughtUpWith } = verification;
  const read = <Row extends InSpan>(
    list: Parameters<OnLeftOut>[0],
    some: CountedSpans,
    statement: (piece: CountedSpans) => Clause,
    row: z.ZodType<Row>,
    bounded: (rows: Row[], piece: CountedSpans) => Row[] = (rows) => rows,
  ) =>
    readInPieces(
      some,
      async (piece) =>
        bounded(
          await reader.read({ name: `detector.${list}`, ...statement(piece), row, caughtUpWith }),
          piece,
        ),
      ({ websiteIds, from }) => leftOut(list, { websiteId: websiteIds[0]!, start: from }),
    );
  if (spans.lists === 'none') return;
  for (const websiteIds of batchesByRows(totals)) {
    const some = { ...spans, websiteIds };
    const bots = await read(
      'bots',
      some,
      (piece) => spanBots(piece, verification),
      botRow,
      (rows, { from, lengthMs }) =>
        botsWithinBound(rows, ({ website, span }) => lackBots(website, from + span * lengthMs)),
    );
    for (const { website, span, ...bot } of bots) listsOf(lists, { website, span }).byBot.push(bot);
    if (spans.lists === 'bots') continue;
    const clients = await read('clients', some, (piece) => spanClients(piece, verification), clientRow);
    for (const { website, span, address, ...client } of clients)
      listsOf(lists, { website, span }).byClient.push({ ip: address, ...client });
    const full = { ...some, websiteIds: withFullLists(clients) };
    const unlisted =
      full.websiteIds.length === 0
        ? []
        : await read('unlisted_addresses', full, (piece) => spanUnlisted(piece, verification), unlistedRow);
    for (const { website, span, claimed, ...counts } of unlisted)
      listsOf(lists, { website, span }).unlisted.push({ ...counts, botName: claimed });
    if (spans.lists !== 'all') continue;
    const paths = await read('paths', some, (piece) => spanPaths(piece, verification), pathRow);
    for (const { website, span, ...path } of paths) listsOf(lists, { website, span }).paths.push(path);
  }
}

/** The websites with a span whose list of addresses may be full. */
function withFullLists(clients: readonly InSpan[]): string[] {
  const listed = new Map<string, number>();
  for (const { website, span } of clients) {
    const key = `${span} ${website}`;
    listed.set(key, (listed.get(key) ?? 0) + 1);
  }
  const full = clients.filter(({ website, span }) => listed.get(`${span} ${website}`)! >= MAX_NAMED);
  return [...new Set(full.map(({ website }) => website))];
}

/** Websites in batches of about {@link MOST_ROWS} requests. */
function batchesByRows(totals: readonly TotalsRow[]): string[][] {
  const requests = new Map<string, number>();
  for (const row of totals) requests.set(row.website, (requests.get(row.website) ?? 0) + row.requests);
  const batches: string[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const [website, some] of requests) {
    if (rows + some > MOST_ROWS) {
      batches.push([]);
      rows = 0;
    }
    batches.at(-1)!.push(website);
    rows += some;
  }
  return batches;
}

function listsOf(lists: ListsByWebsite, { website, span }: InSpan): Lists {
  const ofWebsite = lists.get(website) ?? new Map<number, Lists>();
  lists.set(website, ofWebsite);
  const ofSpan = ofWebsite.get(span) ?? { byBot: [], byClient: [], unlisted: [], paths: [] };
  ofWebsite.set(span, ofSpan);
  return ofSpan;
}

function spanCounts(row: TotalsRow, start: number, lists: Lists): Omit<SpanCounts, 'lacksBots'> {
  const { website, span, pending, minuteBits, notFoundAt, rejectedAt, status5xxAt, ...totals } = row;
  const minutes = [0, 1, 2, 3, 4].filter((minute) => minuteBits & (1 << minute));
  return {
    start,
    ...totals,
    failedAt: { notFound: notFoundAt, rejected: rejectedAt, status5xx: status5xxAt },
    bots: row.requests - row.people,
    minutes: minutes.map((minute) => start + minute * MINUTE_MS),
    ...lists,
    byClient: lists.byClient.map((client) => ({
      ...client,
      samplePaths: [...new Set(client.samplePaths)],
    })),
  };
}
