import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

/** Hosts of the requests of a website that are kept. */

const row = z.object({ host: z.string() });

/** Those of the hosts that a request asked for. */
export async function readSeenHosts(
  reader: ClickHouseReader,
  websiteId: string,
  hosts: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.read({
    name: 'seen_hosts',
    sql: `SELECT DISTINCT toString(host) AS host FROM hosts_per_hour
WHERE website_id = {website_id: String} AND host IN {hosts: Array(String)}
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, hosts, limit: hosts.length },
    row,
  });
  return new Set(rows.map(({ host }) => host));
}

/** Those with most requests; '' of requests whose log names no host. */
export async function readBusiestHosts(
  reader: ClickHouseReader,
  websiteId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.read({
    name: 'seen_hosts.busiest',
    sql: `SELECT toString(host) AS host FROM hosts_per_hour
WHERE website_id = {website_id: String}
GROUP BY host ORDER BY sum(requests) DESC, host LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, limit },
    row,
  });
  return rows.map(({ host }) => host);
}
