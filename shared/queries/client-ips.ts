import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { asIpv6, clientIpText } from './client-ip.js';
import { merged, mergedInstant } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';
import { resolvedVerification } from './verification.js';

/** Requests by client address and by range of addresses. */

const clientIpsRollup: Rollup = {
  hourTable: 'client_ips_per_hour',
  dayTable: 'client_ips_per_day',
  dimensions: {
    client_ip: 'r.client_ip',
    country: 'r.country',
    bot_name: 'r.bot_name',
    bot_family: 'r.bot_family',
    bot_verification: 'r.bot_verification',
  },
  metrics: [
    'asn',
    'as_name',
    'requests',
    'status_4xx',
    'status_5xx',
    'bytes_sent',
    'first_seen',
    'last_seen',
  ],
};

const count = z.number();

const busiestRow = z.object({ client_ip: z.string(), requests: count });

/** The addresses with most requests, as the engine writes an IPv6. */
async function findBusiest(reader: ClickHouseReader, scope: Scope, limit: number): Promise<string[]> {
  const source = rollupSource(clientIpsRollup, scope, { dimensions: ['client_ip'], metrics: ['requests'] });
  const rows = await reader.read({
    name: 'client_ips.busiest',
    sql: `SELECT s.client_ip AS client_ip, ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY client_ip
ORDER BY requests DESC, client_ip
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: busiestRow,
  });
  return rows.map(({ client_ip }) => client_ip);
}

const clientIpRow = z.object({
  client_ip: z.string(),
  country: z.string(),
  asn: z.number(),
  as_name: z.string(),
  requests: count,
  bot_requests: count,
  status_4xx: count,
  status_5xx: count,
  bytes_sent: count,
  first_seen: z.number(),
  last_seen: z.number(),
});

export type ClientIpRow = z.infer<typeof clientIpRow>;

/**
 * Most requests first, then by address. The country is that of the latest request. Two steps: the first looks at
 * every address, the second with all its figures at those of the list (half the work at 2.8 million rows).
 */
export async function listClientIps(
  reader: ClickHouseReader,
  scope: Scope,
  { limit }: { limit: number },
): Promise<ClientIpRow[]> {
  const busiest = await findBusiest(reader, scope, limit);
  if (busiest.length === 0) return [];
  const source = rollupSource(clientIpsRollup, scope, {
    dimensions: ['client_ip', 'country', 'bot_verification'],
    metrics: clientIpsRollup.metrics,
    where: { sql: 'client_ip IN {client_ips: Array(IPv6)}', params: { client_ips: busiest } },
  });
  return reader.read({
    name: 'client_ips.list',
    sql: `SELECT ${clientIpText('s.client_ip')} AS client_ip, argMax(toString(s.country), s.last_seen) AS country,
  ${merged('asn')} AS asn, ${merged('as_name')} AS as_name,
  ${merged('requests')} AS requests, ${merged('requests', "s.bot_verification != ''")} AS bot_requests,
  ${merged('status_4xx')} AS status_4xx, ${merged('status_5xx')} AS status_5xx, ${merged('bytes_sent')} AS bytes_sent,
  ${mergedInstant('first_seen')} AS first_seen, ${mergedInstant('last_seen')} AS last_seen
FROM (${source.sql}) AS s
GROUP BY s.client_ip
ORDER BY requests DESC, s.client_ip`,
    params: source.params,
    row: clientIpRow,
  });
}

const claimRow = z.object({
  client_ip: z.string(),
  bot_name: z.string(),
  verification: z.string(),
  requests: count,
});

export type ClaimRow = z.infer<typeof claimRow>;

/** Which bots the addresses claimed to be, `perIp` of them each: by address, most requests first, then by name. */
export function listClaims(
  reader: ClickHouseReader,
  scope: Scope,
  { clientIps, perIp }: { clientIps: readonly string[]; perIp: number },
): Promise<ClaimRow[]> {
  const source = rollupSource(clientIpsRollup, scope, {
    dimensions: ['client_ip', 'bot_name', 'bot_family', 'bot_verification'],
    metrics: ['requests'],
    where: {
      sql: "bot_verification != '' AND client_ip IN {client_ips: Array(IPv6)}",
      params: { client_ips: clientIps.map(asIpv6) },
    },
  });
  const columns = { verification: 'bot_verification', family: 'bot_family', ip: 'client_ip' };
  const verification = resolvedVerification(columns, scope);
  return reader.read({
    name: 'client_ips.claims',
    sql: `SELECT ${clientIpText('s.client_ip')} AS client_ip, s.bot_name AS bot_name, s.verification AS verification,
  ${merged('requests')} AS requests
FROM (SELECT *, ${verification.sql} AS verification FROM (${source.sql})) AS s
GROUP BY s.client_ip, s.bot_name, s.verification
ORDER BY s.client_ip, requests DESC, bot_name, verification
LIMIT {per_ip: UInt32} BY s.client_ip`,
    params: { ...source.params, ...verification.params, per_ip: perIp },
    row: claimRow,
  });
}

/** Prefix lengths at which one operator's addresses are usually handed out together. */
const IPV4_RANGE_BITS = 24;
const IPV6_RANGE_BITS = 48;

const rangeRow = z.object({
  ip_range: z.string(),
  requests: count,
  bot_requests: count,
  status_4xx: count,
  status_5xx: count,
  unique_ips: count,
});

export type IpRangeRow = z.infer<typeof rangeRow>;

/** Networks (/24 of IPv4, /48 of IPv6) with their distinct addresses, exactly counted; most requests first, then by range. */
export function listIpRanges(
  reader: ClickHouseReader,
  scope: Scope,
  { limit }: { limit: number },
): Promise<IpRangeRow[]> {
  const source = rollupSource(clientIpsRollup, scope, {
    dimensions: ['client_ip', 'bot_verification'],
    metrics: ['requests', 'status_4xx', 'status_5xx'],
  });
  const isIpv4 = "ip BETWEEN toIPv6('::ffff:0.0.0.0') AND toIPv6('::ffff:255.255.255.255')";
  return reader.read({
    name: 'client_ips.ranges',
    sql: `SELECT concat(${clientIpText('network')}, '/', toString(bits)) AS ip_range,
  sum(i.requests) AS requests, sum(i.bot_requests) AS bot_requests,
  sum(i.status_4xx) AS status_4xx, sum(i.status_5xx) AS status_5xx, count() AS unique_ips
FROM (
  SELECT s.client_ip AS ip, if(${isIpv4}, ${IPV4_RANGE_BITS}, ${IPV6_RANGE_BITS}) AS bits,
    tupleElement(IPv6CIDRToRange(ip, toUInt8(if(bits = ${IPV4_RANGE_BITS}, ${IPV4_RANGE_BITS + 96}, bits))), 1) AS network,
    ${merged('requests')} AS requests, ${merged('requests', "s.bot_verification != ''")} AS bot_requests,
    ${merged('status_4xx')} AS status_4xx, ${merged('status_5xx')} AS status_5xx
  FROM (${source.sql}) AS s
  GROUP BY s.client_ip
) AS i
GROUP BY network, bits
ORDER BY requests DESC, network, bits
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: rangeRow,
  });
}
