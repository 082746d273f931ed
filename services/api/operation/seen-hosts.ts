import { z } from 'zod';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** Hosts of a website's stored requests. */

const row = z.object({ host: z.string() });

/** @returns the given hosts that a request has. */
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

/** Clients invent hosts, so a website may have any number of them. */
const MOST_RANKED_ROWS = 100_000;

/** The hosts with most requests in the latest rows; '' for requests without a host. */
export async function readBusiestHosts(
  reader: ClickHouseReader,
  websiteId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.read({
    name: 'seen_hosts.busiest',
    // Backwards along the primary key, so it stops at the last counted row.
    sql: `SELECT toString(host) AS host FROM (
SELECT host, requests FROM hosts_per_hour
WHERE website_id = {website_id: String}
ORDER BY website_id DESC, hour DESC
LIMIT {most_rows: UInt32})
GROUP BY host ORDER BY sum(requests) DESC, host LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, limit, most_rows: MOST_RANKED_ROWS },
    row,
    restsOn: { websiteId, part: 'everything' },
  });
  return rows.map(({ host }) => host);
}
