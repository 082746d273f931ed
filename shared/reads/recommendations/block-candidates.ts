import type { SharedNetwork } from '../../crawlers/shared-networks.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type AlertedAddress, readAlertedAddresses } from '../alerts/address-alerts.js';
import { asIpv6 } from '../sql/client-ip.js';
import { oneOf } from '../sql/filters.js';
import { clientIps } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import type { RecommendationInput } from './recommendation-input.js';
import { ranked, type Scored, scoreAddress, scoreUnverified } from './recommendation-scores.js';

/**
 * Candidates for blocking: addresses that alerts name, addresses that probed for vulnerabilities, and addresses with disproved claims to be
 * a crawler.
 */

/** The newest addresses of alerts; the false claims and the scanners with the most requests. */
const MOST_CANDIDATES = 500;
/** Fewer false claims are not worth a rule. */
const LEAST_SPOOFED = 10;
/** Probes of one address in the window, at any rate. A name list that is tried once has about twenty. */
export const LEAST_PROBES = 50;

/** Networks that must not be blocked, with any traffic. */
const untouchable: ReadonlySet<SharedNetwork | null> = new Set(['own_network', 'search_crawler']);

interface Candidate extends Scored {
  readonly key: string;
  readonly facts: AddressFacts;
  readonly network: SharedNetwork | null;
  readonly isResolved: boolean;
}

export interface AddressCandidate extends Candidate {
  readonly alert: AlertedAddress | null;
}

export interface ImpostorCandidate extends Candidate {
  readonly botName: string;
  readonly requests: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/**
 * Both lists, best first, including resolved ones. Excludes verified addresses of a crawler in the window, addresses of the website's own
 * network, and addresses that a search engine publishes for its crawlers.
 */
export async function readBlockCandidates(
  reader: ClickHouseReader,
  scope: Scope,
  input: RecommendationInput,
): Promise<{ addresses: AddressCandidate[]; impostors: ImpostorCandidate[] }> {
  const [alerted, claims, scanners] = await Promise.all([
    readAlertedAddresses(reader, scope),
    readFalseClaims(reader, scope),
    readScanners(reader, scope),
  ]);
  const alertedAddresses = [...alerted.keys()].slice(0, MOST_CANDIDATES);
  const names = [
    ...new Set([...alertedAddresses, ...[...claims, ...scanners].map(({ client_ip }) => client_ip)]),
  ];
  const facts = await readFacts(reader, scope, names);
  const served = await readLastServedDays(reader, scope, claims, input);
  const candidates = facts.flatMap((row) => {
    const network = input.sharedNetworkOf(row.client_ip, row.asn, row.last_seen);
    return row.verified_requests > 0 || untouchable.has(network) ? [] : [{ row, network }];
  });
  const standing = new Map(candidates.map((one) => [one.row.client_ip, one]));
  return {
    addresses: ranked(
      candidates.flatMap(({ row, network }) => {
        const ownClaims = claims.filter(({ client_ip }) => client_ip === row.client_ip);
        return (
          toAddress(
            { facts: row, network, alert: alerted.get(row.client_ip) ?? null, claims: ownClaims, served },
            input,
          ) ?? []
        );
      }),
    ),
    impostors: ranked(
      claims.flatMap((claim) => {
        const one = standing.get(claim.client_ip);
        const alert = alerted.get(claim.client_ip);
        return one === undefined
          ? []
          : [toImpostor(claim, { facts: one.row, network: one.network, alert, served }, input)];
      }),
    ),
  };
}

/** False claims with the most requests; `bot_name` is the claim. */
function readFalseClaims(reader: ClickHouseReader, scope: Scope) {
  return selectList(reader, scope, {
    name: 'recommendations.false_claims',
    from: [clientIps],
    by: ['client_ip', 'bot_name'],
    limit: MOST_CANDIDATES,
    metrics: ['requests', 'status_4xx', 'first_seen', 'last_seen'],
    where: [oneOf('verification', ['spoofed'])],
  });
}
type Claim = Awaited<ReturnType<typeof readFalseClaims>>[number];

/** Addresses that probed for vulnerabilities, including those too slow for an alert. */
async function readScanners(reader: ClickHouseReader, scope: Scope) {
  const rows = await selectList(reader, scope, {
    name: 'recommendations.scanners',
    from: [clientIps],
    by: ['client_ip'],
    limit: MOST_CANDIDATES,
    metrics: ['probes'],
  });
  return rows.filter(({ probes }) => probes >= LEAST_PROBES);
}

function readFacts(reader: ClickHouseReader, scope: Scope, addresses: readonly string[]) {
  return readByTexts(addresses, (batch) =>
    selectList(reader, scope, {
      name: 'recommendations.addresses',
      from: [clientIps],
      by: ['client_ip'],
      metrics: [
        'requests',
        'status_4xx',
        'verified_requests',
        'probes',
        'asn',
        'as_name',
        'first_seen',
        'last_seen',
      ],
      latest: ['country'],
      where: [oneOf('client_ip', batch.map(asIpv6), 'IPv6')],
    }),
  );
}

type AddressFacts = Awaited<ReturnType<typeof readFacts>>[number];

interface Standing<Alert> {
  readonly facts: AddressFacts;
  readonly network: SharedNetwork | null;
  readonly alert: Alert;
  /** From readLastServedDays. */
  readonly served: ReadonlyMap<string, number>;
}

/** null: too little evidence. */
function toAddress(
  { facts, network, alert, claims, served }: Standing<AlertedAddress | null> & { claims: readonly Claim[] },
  { isResolved }: RecommendationInput,
): AddressCandidate | null {
  const total = claims.reduce((sum, { requests }) => sum + requests, 0);
  const spoofed = total >= LEAST_SPOOFED ? total : 0;
  const isScanner = facts.probes >= LEAST_PROBES;
  if (alert === null && spoofed === 0 && !isScanner) return null;
  const key = `ip:${facts.client_ip}`;
  return {
    key,
    facts,
    network,
    alert,
    ...scoreAddress({
      alertTypes: alert?.types ?? [],
      isCritical: alert?.isCritical ?? false,
      spoofed,
      isScanner,
      requests: facts.requests,
      status4xx: facts.status_4xx,
      network,
    }),
    isResolved: isResolved(key, {
      alertAt: alert?.lastSeen ?? null,
      requestAt: spoofed === 0 ? null : newestOf(claims, served),
    }),
  };
}

function toImpostor(
  claim: Claim,
  { facts, network, alert, served }: Standing<AlertedAddress | undefined>,
  { isResolved, isSearchCrawler }: RecommendationInput,
): ImpostorCandidate {
  const key = `unverified:${claim.bot_name}:${claim.client_ip}`;
  const alertAt = alert?.types.includes('fake_crawler') ? alert.lastSeen : null;
  return {
    key,
    facts,
    network,
    botName: claim.bot_name,
    requests: claim.requests,
    firstSeen: claim.first_seen,
    lastSeen: claim.last_seen,
    ...scoreUnverified({
      requests: claim.requests,
      status4xx: claim.status_4xx,
      isSearchCrawler: isSearchCrawler(claim.bot_name),
      alerted: alertAt !== null,
      network,
    }),
    isResolved: isResolved(key, { alertAt, requestAt: served.get(pairOf(claim)) ?? null }),
  };
}

const pairOf = ({ client_ip, bot_name }: Pick<Claim, 'client_ip' | 'bot_name'>) => `${client_ip} ${bot_name}`;

function newestOf(claims: readonly Claim[], served: ReadonlyMap<string, number>): number | null {
  const days = claims.flatMap((claim) => served.get(pairOf(claim)) ?? []);
  return days.length === 0 ? null : Math.max(...days);
}

/**
 * The start of the last UTC day on which a resolved claim was answered other than 4xx, by pair. A claim that is always rejected is blocked
 * already, and its requests are not new evidence.
 */
async function readLastServedDays(
  reader: ClickHouseReader,
  scope: Scope,
  claims: readonly Claim[],
  { isResolved }: RecommendationInput,
): Promise<Map<string, number>> {
  const isDone = (key: string) => isResolved(key, { alertAt: null, requestAt: null });
  const done = claims.filter(
    ({ client_ip, bot_name }) => isDone(`ip:${client_ip}`) || isDone(`unverified:${bot_name}:${client_ip}`),
  );
  const days = await readByTexts([...new Set(done.map(({ client_ip }) => client_ip))], (batch) =>
    selectList(reader, scope, {
      name: 'recommendations.claim_days',
      from: [clientIps],
      by: ['client_ip', 'bot_name'],
      overTime: true,
      time: 'day',
      metrics: ['requests', 'status_4xx'],
      where: [oneOf('client_ip', batch.map(asIpv6), 'IPv6'), oneOf('verification', ['spoofed'])],
    }),
  );
  const last = new Map<string, number>();
  for (const day of days)
    if (day.requests > day.status_4xx) last.set(pairOf(day), Math.max(day.time, last.get(pairOf(day)) ?? 0));
  return last;
}
