import { type ClientSignal, MAX_DISTINCT_PATHS } from '../../../shared/detection/signal.js';
import type { LocationFacts } from '../enriched-block.js';
import { cut } from './cut.js';
import type { Outcome } from './outcome.js';
import { type SignalRow, textOf } from './signal-row.js';

const MAX_SAMPLES = 3;
const NO_MINUTE = -1;

/** One address within the time of a list; changed in place. */
export interface ClientCounts {
  readonly ip: string;
  readonly location: LocationFacts;
  /** Requests that it had when it fell out of the list: they count where lists are cut, and are told no more. */
  readonly before: number;
  requests: number;
  pages: number;
  notFound: number;
  rejected: number;
  status5xx: number;
  probes: number;
  isPerson: boolean;
  /** Whether its claim is proven wrong. */
  isImpostor: boolean;
  /** Of its first claim; in lists of five minutes of the first that is proven wrong, if one is. */
  botName: string;
  verification: string;
  sampleUserAgent: string;
  /** Most addresses ask for one path: the set is made with the second. */
  firstPath: string;
  paths: Set<string> | null;
  /** Of a list of several minutes: the minute that `firstPath` and `paths` are of, and the different paths of those before it, added up. */
  minute: number;
  pathsBefore: number;
  /** What it probed, with the query; null: nothing. */
  probed: string[] | null;
}

/** @param before requests that it had when it fell out of the list; 0: it is new */
export function newClient(row: SignalRow, before: number): ClientCounts {
  return {
    ip: textOf(row, 'client_ip'),
    location: row.location,
    before,
    requests: 0,
    pages: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    probes: 0,
    isPerson: false,
    isImpostor: false,
    botName: '',
    verification: '',
    sampleUserAgent: textOf(row, 'user_agent'),
    firstPath: row.target.path,
    paths: null,
    minute: NO_MINUTE,
    pathsBefore: 0,
    probed: null,
  };
}

export function countClient(client: ClientCounts, row: SignalRow, outcome: Outcome): void {
  const { path } = row.target;
  client.requests += 1;
  if (outcome.isPage) client.pages += 1;
  if (outcome.isNotFound) client.notFound += 1;
  if (outcome.isRejected) client.rejected += 1;
  if (outcome.isServerError) client.status5xx += 1;
  if (row.judgement.traffic_class === 'human') client.isPerson = true;
  else if (client.verification === '') {
    client.botName = row.judgement.bot_name;
    client.verification = row.judgement.bot_verification;
  }
  if (outcome.isProbe) countProbe(client, row);
  if (client.paths !== null) {
    if (client.paths.size < MAX_DISTINCT_PATHS) client.paths.add(path);
  } else if (path !== client.firstPath) client.paths = new Set([client.firstPath, path]);
}

/**
 * Different paths are told apart within a minute and added up over minutes, in a list of several as where lists are put together: what a rule asks
 * of them is the same however late logs come.
 * @param minute of the row that is counted next
 */
export function tellMinutesApart(client: ClientCounts, minute: number, { target }: SignalRow): void {
  if (client.minute === minute) return;
  if (client.minute !== NO_MINUTE) {
    client.pathsBefore += client.paths?.size ?? 1;
    client.firstPath = target.path;
    client.paths = null;
  }
  client.minute = minute;
}

/** Its wrong claim is told, whatever else it claims: an alert names addresses by it (services/detector/rules/fake-crawler.ts). */
export function noteImpostor(client: ClientCounts, { judgement }: SignalRow): void {
  if (client.isImpostor || judgement.bot_verification !== 'spoofed') return;
  client.isImpostor = true;
  client.botName = judgement.bot_name;
  client.verification = judgement.bot_verification;
}

function countProbe(client: ClientCounts, row: SignalRow): void {
  if (client.probes === 0) client.sampleUserAgent = textOf(row, 'user_agent');
  client.probes += 1;
  client.probed ??= [];
  if (client.probed.length === MAX_SAMPLES) return;
  const target = textOf(row, 'target');
  if (!client.probed.includes(target)) client.probed.push(target);
}

/** What is told of the address. */
export function toClientSignal(client: ClientCounts): ClientSignal {
  const { firstPath, location, paths, probed } = client;
  const samples = new Set(probed?.map(cut));
  for (const path of paths ?? [firstPath]) {
    if (samples.size >= MAX_SAMPLES) break;
    samples.add(cut(path));
  }
  return {
    ip: client.ip,
    country: location.country,
    asn: location.asn,
    asName: cut(location.as_name),
    requests: client.requests,
    pages: client.pages,
    notFound: client.notFound,
    rejected: client.rejected,
    status5xx: client.status5xx,
    probes: client.probes,
    paths: Math.min(MAX_DISTINCT_PATHS, client.pathsBefore + (paths?.size ?? 1)),
    isPerson: client.isPerson,
    botName: client.botName,
    verification: client.verification,
    sampleUserAgent: cut(client.sampleUserAgent),
    samplePaths: [...samples],
  };
}
