import { z } from 'zod';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { asIpv6, clientIpText } from '../sql/client-ip.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { compareBytes } from '../sql/text-order.js';

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

/** A window's end gets new requests, and the first requests of its start leave it. */
const EDGE_MS = HOUR_MS;

/**
 * Samples of addresses at these times. The requests are found by their times in the primary key, so the cost grows with the sightings and
 * not with the window. Sightings in the window's first and last hours have a statement of their own, so that the other one can be cached.
 */
export async function readClientSamples(
  reader: ClickHouseReader,
  scope: Scope,
  sightings: readonly ClientSighting[],
): Promise<Map<string, ClientSample>> {
  const { start, end } = scope.window;
  const middleStart = hourOf(start + EDGE_MS - 1) + 1;
  const middleEnd = hourOf(end - EDGE_MS);
  const isMiddle = (instant: number) => hourOf(instant) >= middleStart && hourOf(instant) < middleEnd;
  const addresses = sightings.map(({ client_ip }) => asIpv6(client_ip)).sort();
  const instants = [...new Set(sightings.flatMap((one) => one.instants))].sort((a, b) => a - b);
  const parts = await Promise.all(
    [instants.filter(isMiddle), instants.filter((instant) => !isMiddle(instant))].map((part) =>
      readSightings(reader, scope, addresses, part),
    ),
  );
  const samples = new Map<string, ClientSample>();
  for (const { client_ip, user_agents, paths } of parts.flat()) {
    const other = samples.get(client_ip);
    samples.set(client_ip, {
      userAgents: least([...user_agents, ...(other?.userAgents ?? [])]),
      paths: least([...paths, ...(other?.paths ?? [])]),
    });
  }
  return samples;
}

const hourOf = (instant: number) => Math.floor(instant / HOUR_MS);

/** In the order of the engine. */
function least(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareBytes).slice(0, MOST_OF_A_CLIENT);
}

/** The statement has no bounds of the window, which move each minute. */
async function readSightings(
  reader: ClickHouseReader,
  scope: Scope,
  addresses: readonly string[],
  instants: readonly number[],
) {
  if (instants.length === 0) return [];
  const { websiteId } = scope;
  const where = scopeClause({ ...scope, window: { start: instants[0]!, end: instants.at(-1)! + 1 } });
  return reader.read({
    name: 'recommendations.samples',
    sql: `SELECT ${clientIpText('r.client_ip')} AS client_ip, ${some('r.user_agent')} AS user_agents, ${some('r.path')} AS paths
FROM requests AS r
WHERE ${where.sql}
  AND r.timestamp IN (SELECT fromUnixTimestamp64Milli(arrayJoin({instants: Array(Int64)}), 'UTC'))
  AND r.client_ip IN {addresses: Array(IPv6)}
GROUP BY r.client_ip`,
    params: { ...where.params, instants, addresses },
    row: sampleRow,
    restsOn: { websiteId, hours: [...new Set(instants.map(hourOf))] },
  });
}
