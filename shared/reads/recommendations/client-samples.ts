import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { asIpv6, clientIpText } from '../sql/client-ip.js';
import { type Scope, scopeClause } from '../sql/scope.js';

const sampleRow = z.object({
  client_ip: z.string(),
  user_agents: z.array(z.string()),
  paths: z.array(z.string()),
});

/** An address and times of its requests, in milliseconds since the epoch. */
export interface ClientSighting {
  readonly client_ip: string;
  readonly instants: readonly number[];
}

/** Samples of an address's requests. */
export interface ClientSample {
  readonly userAgents: readonly string[];
  readonly paths: readonly string[];
}

/** Samples of one address at its times; texts are cut. */
const MOST_OF_A_CLIENT = 3;
const MOST_CHARACTERS = 500;

const some = (column: string) =>
  `arraySlice(arraySort(groupUniqArray(substringUTF8(${column}, 1, ${MOST_CHARACTERS}))), 1, ${MOST_OF_A_CLIENT})`;

/**
 * Samples of addresses at these times. The requests are found by their times in the primary key, so the cost grows with the sightings and
 * not with the window.
 */
export async function readClientSamples(
  reader: ClickHouseReader,
  scope: Scope,
  sightings: readonly ClientSighting[],
): Promise<Map<string, ClientSample>> {
  if (sightings.length === 0) return new Map();
  const where = scopeClause(scope);
  const rows = await reader.read({
    name: 'recommendations.samples',
    sql: `SELECT ${clientIpText('r.client_ip')} AS client_ip, ${some('r.user_agent')} AS user_agents, ${some('r.path')} AS paths
FROM requests AS r
WHERE ${where.sql}
  AND r.timestamp IN (SELECT fromUnixTimestamp64Milli(arrayJoin({instants: Array(Int64)}), 'UTC'))
  AND r.client_ip IN {addresses: Array(IPv6)}
GROUP BY r.client_ip`,
    params: {
      ...where.params,
      instants: [...new Set(sightings.flatMap(({ instants }) => instants))],
      addresses: sightings.map(({ client_ip }) => asIpv6(client_ip)),
    },
    row: sampleRow,
  });
  return new Map(
    rows.map(({ client_ip, user_agents, paths }) => [client_ip, { userAgents: user_agents, paths }]),
  );
}
