import type { CountedSpans, CountsByWebsite } from '../../../services/detector/counts/counts-reader.js';
import { evidenceText } from '../../../services/detector/counts/evidence-text.js';
import { kindsOf } from '../../../services/detector/counts/named-addresses.js';
import {
  type AddressCounts,
  type AddressKinds,
  type BotCounts,
  type ClientCounts,
  earliestAndLatest,
  emptyCounts,
  MAX_DISTINCT_PATHS,
  type PathCounts,
  type SpanCounts,
} from '../../../services/detector/counts/span-counts.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { pageTypes } from '../../../shared/reads/sql/served-page.js';
import type { StoredRequest } from '../stored-requests.js';
import { compareAddresses, compareAll, compareBytes } from './compare-bytes.js';

/**
 * The definition of span counts in plain JavaScript, over rows in memory, for comparison with the store's
 * answers.
 */

export type CountedRow = Pick<
  StoredRequest,
  | 'website_id'
  | 'timestamp'
  | 'client_ip'
  | 'path'
  | 'query'
  | 'file_type'
  | 'status'
  | 'time_taken_ms'
  | 'user_agent'
  | 'traffic_class'
  | 'bot_name'
  | 'bot_family'
  | 'bot_operator'
  | 'bot_category'
  | 'bot_verification'
  | 'country'
  | 'asn'
  | 'as_name'
> & { readonly is_probe: boolean };

/** A late verdict on a pending claim. The latest one counts; among equally late ones the greatest status. */
export interface CountedVerdict {
  readonly website_id: string;
  readonly bot_family: string;
  readonly client_ip: string;
  readonly at: number;
  readonly status: 'verified' | 'spoofed' | 'unverifiable';
}

/** A row with properties that several counts use. */
interface Judged extends CountedRow {
  readonly verification: string;
  readonly isNotFound: boolean;
  readonly isRejected: boolean;
  readonly isServerError: boolean;
  readonly isPage: boolean;
  readonly probes: boolean;
}

export function countRows(
  rows: readonly CountedRow[],
  { websiteIds, from, to, lengthMs, lists }: CountedSpans,
  verdicts: readonly CountedVerdict[] = [],
): CountsByWebsite {
  const decided = latestOf(verdicts);
  const asked = new Set(websiteIds);
  const counted = rows
    .filter(({ website_id, timestamp }) => asked.has(website_id) && timestamp >= from && timestamp < to)
    .map((row) => judged(row, decided));
  const counts = new Map<string, ReadonlyMap<number, SpanCounts>>();
  for (const [website, ofWebsite] of groupBy(counted, (row) => row.website_id)) {
    const spans = groupBy(ofWebsite, ({ timestamp }) => timestamp - ((timestamp - from) % lengthMs));
    counts.set(
      website,
      new Map(
        [...spans]
          .sort(([a], [b]) => a - b)
          .map(([start, ofSpan]) => [start, countSpan(ofSpan, start, { lengthMs, lists })]),
      ),
    );
  }
  return counts;
}

function latestOf(verdicts: readonly CountedVerdict[]): ReadonlyMap<string, string> {
  const latest = verdicts.toSorted((a, b) => a.at - b.at || compareBytes(a.status, b.status));
  return new Map(latest.map((verdict) => [claimOf(verdict), verdict.status]));
}

const claimOf = (of: Pick<CountedVerdict, 'website_id' | 'bot_family' | 'client_ip'>) =>
  JSON.stringify([of.website_id, of.bot_family, of.client_ip]);

function judged(row: CountedRow, decided: ReadonlyMap<string, string>): Judged {
  const { status, bot_verification } = row;
  const verification =
    bot_verification === 'pending' ? (decided.get(claimOf(row)) ?? 'pending') : bot_verification;
  return {
    ...row,
    verification,
    isNotFound: status === 404,
    isRejected: [401, 402, 403, 429, 451].includes(status),
    isServerError: status >= 500 && status < 600,
    isPage: (pageTypes as readonly string[]).includes(row.file_type),
    probes: row.is_probe && verification !== 'verified',
  };
}

function countSpan(
  rows: readonly Judged[],
  start: number,
  { lengthMs, lists }: Pick<CountedSpans, 'lengthMs' | 'lists'>,
): SpanCounts {
  const bots = rows.filter(isBot);
  const isClientError = ({ status }: Judged) => status >= 400 && status < 500;
  const ofClass = (name: string) => (row: Judged) => row.traffic_class === name;
  const isNoImpostor = ({ verification }: Judged) => verification !== 'spoofed';
  const timed = rows.filter(({ time_taken_ms }) => time_taken_ms !== null);
  const minutes = new Set(rows.map(({ timestamp }) => timestamp - (timestamp % MINUTE_MS)));
  const byBot = lists === 'none' ? [] : countBots(bots);
  const hasClients = lists === 'named' || lists === 'all';
  return {
    ...emptyCounts(start),
    ...failuresOf(rows),
    people: rows.length - bots.length,
    bots: bots.length,
    crawlers: rows.filter(ofClass('search_bot')).filter(isNoImpostor).length,
    aiBots: rows.filter(ofClass('ai_bot')).filter(isNoImpostor).length,
    spoofed: rows.filter(({ verification }) => verification === 'spoofed').length,
    undeclared: rows.filter(ofClass('undeclared_agent')).length,
    status4xx: rows.filter(isClientError).length,
    failedAt: {
      notFound: timesOf(rows.filter(({ isNotFound }) => isNotFound)),
      rejected: timesOf(rows.filter(({ isRejected }) => isRejected)),
      status5xx: timesOf(rows.filter(({ isServerError }) => isServerError)),
    },
    timed: timed.length,
    timeTakenMs: timed.reduce((sum, row) => sum + row.time_taken_ms!, 0),
    botsNotFound: failuresOf(bots).notFound,
    botsOther4xx: bots.filter(isClientError).length - failuresOf(bots).notFound,
    bots5xx: failuresOf(bots).status5xx,
    minutes: lengthMs === 5 * MINUTE_MS ? [...minutes].sort((a, b) => a - b) : [],
    byBot,
    ...(hasClients && countClients(rows, lengthMs / MINUTE_MS, lists === 'all')),
    paths: lists === 'all' ? countPaths(rows) : [],
  };
}

const timesOf = (rows: readonly Judged[]) =>
  earliestAndLatest(rows.map(({ timestamp }) => ({ first: timestamp, last: timestamp })));

const isFailed = (row: Judged) => row.isNotFound || row.isRejected || row.isServerError;

const isChecked = (verification: string) => !['unverifiable', ''].includes(verification);

const isBot = ({ traffic_class }: Judged) => traffic_class !== 'human';

function failuresOf(rows: readonly Judged[]) {
  return {
    requests: rows.length,
    notFound: rows.filter(({ isNotFound }) => isNotFound).length,
    rejected: rows.filter(({ isRejected }) => isRejected).length,
    status5xx: rows.filter(({ isServerError }) => isServerError).length,
  };
}

function countBots(rows: readonly Judged[]): BotCounts[] {
  const keyOf = (row: Judged) => [
    row.bot_name,
    row.bot_family,
    row.bot_operator,
    row.bot_category,
    row.verification,
  ];
  const groups = [...groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].sort(
    (a, b) =>
      Number(isChecked(b[0]!.verification)) - Number(isChecked(a[0]!.verification)) ||
      b.length - a.length ||
      compareAll(keyOf(a[0]!), keyOf(b[0]!)),
  );
  return groups.slice(0, 2_000).map(botOf);
}

function botOf(rows: readonly Judged[]): BotCounts {
  const { bot_name, bot_family, bot_operator, bot_category, verification } = rows[0]!;
  const failed = rows.filter(isFailed);
  const ip = rows
    .map(({ client_ip }) => client_ip)
    .sort(compareAddresses)
    .at(-1)!;
  return {
    name: kept(bot_name),
    family: kept(bot_family),
    operator: kept(bot_operator),
    category: kept(bot_category),
    verification,
    ...failuresOf(rows),
    sampleIp: ip === '::' ? '' : ip,
    sampleUserAgent: agentOf(rows),
    samplePath: kept((failed.length > 0 ? failed : rows).map(({ path }) => path).sort(compareBytes)[0]!),
  };
}

/**
 * Ranks of an address: probes, pages if it may be a scraper, wrong claims, and failures if most requests
 * failed.
 */
interface Ranked {
  readonly rows: readonly Judged[];
  readonly strengths: readonly number[];
}

function countClients(
  rows: readonly Judged[],
  minutes: number,
  hasOthers: boolean,
): Pick<SpanCounts, 'byClient' | 'unlisted'> {
  const known = rows.filter(({ client_ip }) => client_ip !== '::');
  const addresses = [...groupBy(known, ({ client_ip }) => client_ip).values()].map(
    (ofAddress): Ranked => ({ rows: ofAddress, strengths: strengthsOf(ofAddress, minutes) }),
  );
  const byAddress = (a: Ranked, b: Ranked) => compareAddresses(a.rows[0]!.client_ip, b.rows[0]!.client_ip);
  const mostFirst = (among: readonly Ranked[], countOf: (one: Ranked) => number) =>
    among.filter((one) => countOf(one) > 0).sort((a, b) => countOf(b) - countOf(a) || byAddress(a, b));
  const kinds = [0, 1, 2, 3].map((kind) => mostFirst(addresses, ({ strengths }) => strengths[kind]!));
  // The first of each kind, then the second of each.
  const candidates = new Set<Ranked>();
  for (let place = 0; place < addresses.length; place++)
    for (const kind of kinds) if (place < kind.length) candidates.add(kind[place]!);
  const others = addresses.filter((one) => hasOthers && !candidates.has(one));
  const all = new Set([
    ...[...candidates].slice(0, 200),
    ...mostFirst(others, (one) => one.rows.length).slice(0, 12),
    ...[
      isFailed,
      ...[({ isNotFound }: Judged) => isNotFound, ({ isRejected }: Judged) => isRejected],
      ({ isServerError }: Judged) => isServerError,
    ].flatMap((fails) => mostFirst(others, (one) => one.rows.filter(fails).length).slice(0, 5)),
  ]);
  return {
    byClient: mostFirst([...all], (one) => one.rows.length).map((one) => clientOf(one.rows)),
    unlisted: addUp([...candidates].slice(200).map((one) => ({ minutes, client: clientOf(one.rows) }))),
  };
}

function strengthsOf(rows: readonly Judged[], minutes: number): readonly number[] {
  const count = (is: (row: Judged) => boolean) => rows.filter(is).length;
  const probes = count((row) => row.probes);
  const pages = count(({ isPage }) => isPage);
  const spoofed = count(({ verification }) => verification === 'spoofed');
  const failures = count(({ isNotFound, isRejected }) => isNotFound || isRejected);
  const mayScrape =
    pages >= 8 * Math.min(minutes, 60) &&
    pages >= 0.6 * rows.length &&
    spoofed === 0 &&
    rows.some(({ verification }) => verification !== 'verified');
  const isFailing = failures >= 10 && 2 * failures >= rows.length && !rows.every(isBot);
  return [probes > 1 ? probes : 0, mayScrape ? pages : 0, spoofed, isFailing ? failures : 0];
}

/** Summed by kind and claim. Claims beyond the 50 with most requests have no name. */
function addUp(some: readonly { readonly minutes: number; readonly client: ClientCounts }[]) {
  const sum = (clients: readonly ClientCounts[], of: keyof AddressCounts & keyof ClientCounts) =>
    clients.reduce((total, client) => total + Number(client[of]), 0);
  const claim = ({ botName, verification }: ClientCounts) => [botName, verification];
  const claims = [
    ...groupBy(
      some.map(({ client }) => client),
      (client) => JSON.stringify(claim(client)),
    ),
  ]
    .sort(([, a], [, b]) => sum(b, 'requests') - sum(a, 'requests') || compareAll(claim(a[0]!), claim(b[0]!)))
    .slice(0, 50);
  const named = new Set(claims.map(([key]) => key));
  const entries = some.map(({ client, minutes }) => {
    const { botName, verification, isPerson } = client;
    const name = named.has(JSON.stringify(claim(client))) ? botName : '';
    return { client, key: { ...kindsOf(client, minutes), isPerson, verification, botName: name } };
  });
  const keyOf = ({ key }: (typeof entries)[number]) => orderOf(key).join('\0');
  return [...groupBy(entries, keyOf).values()]
    .map((group): AddressCounts => {
      const clients = group.map(({ client }) => client);
      const fields = ['requests', 'pages', 'notFound', 'rejected', 'status5xx', 'probes'] as const;
      const sums = Object.fromEntries(fields.map((field) => [field, sum(clients, field)]));
      return {
        ...group[0]!.key,
        ...(sums as Record<(typeof fields)[number], number>),
        addresses: group.length,
      };
    })
    .sort((a, b) => b.requests - a.requests || compareAll(orderOf(a), orderOf(b)));
}

const orderOf = (
  of: AddressKinds & Pick<ClientCounts, 'isPerson' | 'verification' | 'botName'>,
): string[] => [
  ...[of.isProbing, of.isScraping, of.hasProbes, of.isScanning, of.isFailing, of.isPerson].map((is) =>
    is ? '1' : '0',
  ),
  of.verification,
  of.botName,
];

function clientOf(rows: readonly Judged[]): ClientCounts {
  const [claim] = rows.filter(isBot).sort((a, b) => compareAll(claimOrder(a), claimOrder(b)));
  const probes = rows.filter((row) => row.probes);
  const least = <Value>(values: readonly Value[], compare: (a: Value, b: Value) => number) =>
    values.toSorted(compare)[0]!;
  return {
    at: timesOf(rows),
    ip: rows[0]!.client_ip,
    country: kept(
      least(
        rows.map(({ country }) => country),
        compareBytes,
      ),
    ),
    asn: Math.min(...rows.map(({ asn }) => asn)),
    asName: kept(
      least(
        rows.map(({ as_name }) => as_name),
        compareBytes,
      ),
    ),
    ...failuresOf(rows),
    pages: rows.filter(({ isPage }) => isPage).length,
    probes: probes.length,
    paths: Math.min(MAX_DISTINCT_PATHS, new Set(rows.map(({ path }) => path)).size),
    isPerson: !rows.every(isBot),
    botName: kept(claim?.bot_name ?? ''),
    botCategory: claim?.bot_category ?? '',
    verification: claim?.verification ?? '',
    sampleUserAgent: agentOf(probes.length > 0 ? probes : rows),
    samplePaths: samplesOf(rows),
  };
}

/** Disproved claims first, then other names, then clients without a claim. */
function claimOrder({ bot_name, verification, bot_category }: Judged): string[] {
  const order = [verification === 'spoofed' ? '0' : '1', bot_name === '' ? '1' : '0'];
  return [...order, bot_name, verification, bot_category];
}

/** The least and the greatest probed target, then path. */
function samplesOf(rows: readonly Judged[]): string[] {
  const ends = (texts: readonly string[]) => {
    const inOrder = texts.toSorted(compareBytes);
    return inOrder.length === 0 ? [] : [inOrder[0]!, inOrder.at(-1)!];
  };
  const probed = rows
    .filter(({ probes }) => probes)
    .map(({ path, query }) => (query === '' ? path : `${path}?${query}`));
  const samples = [...ends(probed), ...ends(rows.map(({ path }) => path))];
  return [...new Set(samples.map((text) => cutPoints(text, 120)))].slice(0, 3).map(kept);
}

const cutPoints = (text: string, most: number) => [...text].slice(0, most).join('');

function countPaths(rows: readonly Judged[]): PathCounts[] {
  const isProbed = (some: readonly Judged[]) => Number(some.some(({ probes }) => probes));
  const answerOf = ({ isNotFound, isServerError, status }: Judged) =>
    [isNotFound, status >= 400 && status < 500, isServerError].indexOf(true);
  const answers = [...groupBy(rows, answerOf)].sort(([a], [b]) => a - b);
  return answers
    .flatMap(([, ofAnswer]) =>
      [...groupBy(ofAnswer, ({ path, status }) => `${status} ${path}`).values()]
        .sort(
          (a, b) =>
            isProbed(a) - isProbed(b) ||
            b.length - a.length ||
            compareBytes(cutPoints(a[0]!.path, 120), cutPoints(b[0]!.path, 120)) ||
            a[0]!.status - b[0]!.status,
        )
        .slice(0, 10),
    )
    .map((some) => ({ path: kept(some[0]!.path), status: some[0]!.status, requests: some.length }));
}

/** The greatest non-empty text. */
function agentOf(rows: readonly Judged[]): string {
  return evidenceText(
    rows
      .map(({ user_agent }) => user_agent)
      .sort(compareBytes)
      .at(-1)!,
    200,
  );
}

const kept = (text: string) => evidenceText(text, 120);

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
