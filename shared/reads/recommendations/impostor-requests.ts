import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { asIpv6, clientIpText } from '../sql/client-ip.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { requestClaim, resolvedVerification } from '../sql/verification.js';

/** Details of disproved claims, read from single requests. */

const MOST_CHARACTERS = 500;
const MOST_SAMPLES = 3;

const impostorRow = z.object({
  bot_name: z.string(),
  client_ip: z.string(),
  hits: z.number(),
  refused: z.number(),
  not_found: z.number(),
  user_agents: z.array(z.string()),
  paths: z.array(z.string()),
  distinct_paths: z.number(),
  first_seen: z.number(),
  last_seen: z.number(),
});
export type ImpostorRequests = z.infer<typeof impostorRow>;

/** A few of the values, sorted and cut. */
const some = (column: string) =>
  `arraySlice(arraySort(groupUniqArray(100)(substringUTF8(${column}, 1, ${MOST_CHARACTERS}))), 1, ${MOST_SAMPLES})`;

/**
 * The false claims of these addresses in the window, by claimed bot and address, unordered.
 * @param addresses plain text.
 */
export async function readImpostorRequests(
  reader: ClickHouseReader,
  scope: Scope,
  addresses: readonly string[],
): Promise<ImpostorRequests[]> {
  if (addresses.length === 0) return [];
  const known = await withLateVerdicts(reader, scope);
  const rows = scopeClause(known);
  const verification = resolvedVerification(requestClaim, known);
  return reader.read({
    name: 'recommendations.impostors',
    sql: `SELECT r.bot_name AS bot_name, ${clientIpText('r.client_ip')} AS client_ip, count() AS hits,
  countIf(r.status IN (401, 403, 429, 451)) AS refused, countIf(r.status = 404) AS not_found,
  ${some('r.user_agent')} AS user_agents, ${some('r.path')} AS paths, uniqCombined64(14)(r.path) AS distinct_paths,
  toUnixTimestamp64Milli(min(r.timestamp)) AS first_seen, toUnixTimestamp64Milli(max(r.timestamp)) AS last_seen
FROM requests AS r
WHERE ${rows.sql} AND r.is_bot AND r.client_ip IN {addresses: Array(IPv6)} AND ${verification.sql} = 'spoofed'
GROUP BY r.bot_name, r.client_ip`,
    params: { ...rows.params, ...verification.params, addresses: addresses.map(asIpv6) },
    row: impostorRow,
  });
}
