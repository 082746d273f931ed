import { z } from 'zod';
import { type Scope, scopeClause } from '../../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

const sampleRow = z.object({ bot_name: z.string(), user_agents: z.array(z.string()) });

/** A bot and instants at which it made requests, in milliseconds since the epoch. */
export interface Sightings {
  readonly bot_name: string;
  readonly instants: readonly number[];
}

/** A bot can make several requests at one instant. */
const MOST_OF_A_BOT = 3;

/**
 * User agents that bots sent at these instants, by name. The primary key finds the requests by their times, so the cost depends
 * on the number of sightings and not on the length of the window.
 */
export async function readUserAgentSamples(
  reader: ClickHouseReader,
  scope: Scope,
  sightings: readonly Sightings[],
): Promise<Map<string, string[]>> {
  if (sightings.length === 0) return new Map();
  const where = scopeClause(scope);
  const rows = await reader.read({
    name: 'bots_unknown.user_agents',
    sql: `SELECT r.bot_name AS bot_name, arraySlice(arraySort(groupUniqArray(r.user_agent)), 1, ${MOST_OF_A_BOT}) AS user_agents
FROM requests AS r
WHERE ${where.sql}
  AND r.timestamp IN (SELECT fromUnixTimestamp64Milli(arrayJoin({instants: Array(Int64)}), 'UTC'))
  AND r.is_bot AND (toUnixTimestamp64Milli(r.timestamp), toString(r.bot_name)) IN (
    SELECT tupleElement(sighting, 1), tupleElement(sighting, 2)
    FROM (SELECT arrayJoin(arrayZip({instants: Array(Int64)}, {names: Array(String)})) AS sighting)
  )
GROUP BY bot_name`,
    params: {
      ...where.params,
      instants: sightings.flatMap(({ instants }) => instants),
      names: sightings.flatMap(({ bot_name, instants }) => instants.map(() => bot_name)),
    },
    row: sampleRow,
  });
  return new Map(rows.map(({ bot_name, user_agents }) => [bot_name, user_agents]));
}
