import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { botVerdict, toBotVerdict } from '../answer/bot-verdict.js';
import { countryName } from '../answer/country-name.js';
import {
  botRequests,
  bytesSent,
  count,
  fieldsOf,
  percentOf,
  requestCount,
  sharePct,
  undeclaredAgentRequests,
  uniqueIps,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { asIpv6 } from '../sql/client-ip.js';
import { oneOf } from '../sql/filters.js';
import { clientIps, countryEstimates, estimates } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectTotal } from '../sql/select.js';

/** A scanner may claim the name of every crawler; a few of them are enough. */
const MAX_CLAIMS = 10;

const claims = z.array(z.object({ bot_name: z.string(), ...botVerdict, requests: requestCount })).openapi({
  description: `Claimed bots, at most ${MAX_CLAIMS}; most requests first. Empty for people and undeclared agents.`,
});

const figures = {
  country: z
    .string()
    .openapi({ description: 'ISO 3166-1 alpha-2, of the latest request; empty if unknown.' }),
  country_name: z.string(),
  asn: z.int().nullable().openapi({ description: 'Autonomous system; null if unknown.', example: 15169 }),
  as_name: z.string().openapi({ description: 'Empty if unknown.' }),
  requests: requestCount,
  share_pct: sharePct,
  bot_requests: botRequests,
  undeclared_agent_requests: undeclaredAgentRequests,
  claims,
  status_4xx: count('Requests answered 4xx.'),
  status_5xx: count('Requests answered 5xx.'),
  error_rate_pct: z.number().openapi({ description: 'Percentage of the requests answered 4xx or 5xx.' }),
  bytes_sent: bytesSent,
  first_seen: instant.openapi({ description: 'First request inside the window.' }),
  last_seen: instant.openapi({ description: 'Last request inside the window.' }),
};

const clientIp = z
  .object({ client_ip: z.string().openapi({ example: '66.249.66.1' }), ...figures })
  .openapi('ClientIp');

const ipRange = z
  .object({
    ip_range: z.string().openapi({ description: '/24 for IPv4, /48 for IPv6.', example: '66.249.66.0/24' }),
    unique_ips: count('Exact number of distinct addresses in the range.'),
    ...figures,
  })
  .openapi('IpRange');

/** Two steps: the first reads every address, the second all figures of the listed ones (half the work at 2.8 million rows). */
export const ips = answer({
  schema: z.object({
    ...datedWindow,
    total_requests: count('All requests.'),
    unique_ips: uniqueIps,
    ips: z.array(clientIp),
    ip_ranges: z.array(ipRange),
  }),
  from: [[clientIps], [estimates, countryEstimates]],
  async read(reader, scope, { limit }: { limit: number }) {
    const [dated, totals, busiest] = await Promise.all([
      dateWindow(reader, scope),
      readTotals(reader, scope),
      readBusiest(reader, scope, limit),
    ]);
    const [ips, ranges] = await Promise.all([
      readIps(reader, scope, busiest.ips),
      readRanges(reader, scope, busiest.ranges),
    ]);
    return {
      ...dated.fields,
      total_requests: totals.requests,
      unique_ips: totals.client_ips,
      ips: ips.map((one) => fieldsOf(clientIp, toFigures(one, totals.requests), one.row)),
      ip_ranges: ranges.map((one) => {
        const named = { ip_range: one.row.network, unique_ips: one.size };
        return fieldsOf(ipRange, { ...toFigures(one, totals.requests), ...named }, one.row);
      }),
    };
  },
});

function readTotals(reader: ClickHouseReader, scope: Scope) {
  return selectTotal(reader, scope, {
    name: 'ips.totals',
    from: [estimates, countryEstimates],
    metrics: ['requests', 'client_ips'],
  });
}

async function readBusiest(reader: ClickHouseReader, scope: Scope, limit: number) {
  const { ips, ranges } = await select(reader, scope, {
    name: 'ips.busiest',
    from: [clientIps],
    lists: { ips: { by: ['client_ip'], limit }, ranges: { by: ['network'], limit } },
    metrics: ['requests'],
  });
  return { ips: ips.map(({ client_ip }) => client_ip), ranges: ranges.map(({ network }) => network) };
}

/** Metrics of an address, for this answer and its export. */
export const ipMetrics = [
  'requests',
  'bot_requests',
  'undeclared_agent_requests',
  'asn',
  'as_name',
  'status_4xx',
  'status_5xx',
  'bytes_sent',
  'first_seen',
  'last_seen',
] as const;

/** In the order of the addresses, each with its claims. */
async function readIps(reader: ClickHouseReader, scope: Scope, addresses: readonly string[]) {
  if (addresses.length === 0) return [];
  const { list, claims } = await select(reader, scope, {
    name: 'ips.list',
    from: [clientIps],
    lists: { list: { by: ['client_ip'] }, claims: { by: ['client_ip', 'bot_name', 'verification'] } },
    foldedHere: true,
    metrics: ipMetrics,
    latest: ['country'],
    where: [oneOf('client_ip', addresses.map(asIpv6), 'IPv6')],
  });
  return joinClaims('client_ip', addresses, list, claims);
}

/** Like readIps. The addresses of a range are counted separately, because they may be too many to fold here. */
async function readRanges(reader: ClickHouseReader, scope: Scope, networks: readonly string[]) {
  if (networks.length === 0) return [];
  const starts = networks.map((network) => asIpv6(network.slice(0, network.indexOf('/'))));
  const where = [oneOf('network', starts, 'IPv6')];
  const [{ list, claims }, { sizes }] = await Promise.all([
    select(reader, scope, {
      name: 'ips.ranges',
      from: [clientIps],
      lists: { list: { by: ['network'] }, claims: { by: ['network', 'bot_name', 'verification'] } },
      foldedHere: true,
      metrics: ipMetrics,
      latest: ['country'],
      where,
    }),
    select(reader, scope, {
      name: 'ips.range_sizes',
      from: [clientIps],
      lists: { sizes: { by: ['network'] } },
      metrics: ['requests'],
      distinct: ['client_ip'],
      where,
    }),
  ]);
  const sizeOf = new Map(sizes.map(({ network, distinct_client_ip }) => [network, distinct_client_ip]));
  return joinClaims('network', networks, list, claims).map(({ row, claims }) => ({
    row,
    claims,
    size: sizeOf.get(row.network) ?? 0,
  }));
}

function joinClaims<Key extends string, Listed extends Record<Key, string>>(
  key: Key,
  order: readonly string[],
  list: readonly Listed[],
  claimed: readonly (Record<Key, string> & ClaimRow)[],
): { row: Listed; claims: ClaimRow[] }[] {
  const rows = new Map(list.map((row) => [row[key] as string, { row, claims: [] as ClaimRow[] }]));
  for (const claim of claimed) rows.get(claim[key])?.claims.push(claim);
  return order.flatMap((name) => rows.get(name) ?? []);
}

interface Row extends Record<Exclude<(typeof ipMetrics)[number], 'as_name'>, number> {
  readonly as_name: string;
  readonly latest_country: string;
}

interface ClaimRow {
  readonly bot_name: string;
  readonly verification: string;
  readonly requests: number;
}

/** @param claims most requests first */
function toFigures({ row, claims }: { row: Row; claims: readonly ClaimRow[] }, totalRequests: number) {
  return {
    country: row.latest_country,
    country_name: countryName(row.latest_country),
    asn: row.asn === 0 ? null : row.asn,
    share_pct: percentOf(row.requests, totalRequests),
    claims: claims
      .filter(({ verification }) => verification !== '' && verification !== 'undeclared')
      .slice(0, MAX_CLAIMS)
      .map(({ bot_name, verification, requests }) => ({
        bot_name,
        ...toBotVerdict(verification),
        requests,
      })),
    error_rate_pct: percentOf(row.status_4xx + row.status_5xx, row.requests),
    first_seen: toInstant(row.first_seen),
    last_seen: toInstant(row.last_seen),
  };
}
