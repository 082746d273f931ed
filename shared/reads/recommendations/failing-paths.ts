import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { type CrawlBases, verificationsInSql, verificationsOf } from '../bots/crawl-basis-sql.js';
import { middleOfBFloat16 } from '../sql/bfloat16.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { readByTexts } from '../sql/text-batches.js';
import { requestClaim, resolvedVerification } from '../sql/verification.js';

/**
 * Figures of paths that are not found or slow, read from single requests. No rollup has user agents, or quantiles of the time of a path.
 * For other paths only the path column is read.
 */

const agentsRow = z.object({ path: z.string(), user_agents: z.array(z.string()) });

const slowRow = agentsRow.extend({
  hits: z.number(),
  people: z.number(),
  /** Requests of search crawlers and AI crawlers, as their basis selects them. */
  search: z.number(),
  ai: z.number(),
  /** Requests of verified bots. */
  verified: z.number(),
  first_seen: z.number(),
  last_seen: z.number(),
  timed: z.number(),
  time_taken_ms: z.number(),
  p95: z.number().nullable(),
  max_ms: z.number().nullable(),
});
export type SlowPath = z.infer<typeof slowRow>;

const MOST_CHARACTERS = 500;

const lastUserAgent = (condition: string) =>
  `argMaxIf(s.user_agent, tuple(s.timestamp, s.log_offset, s.log_index), ${condition})`;

const isPerson = "s.traffic_class = 'human'";
const isVerified = "s.verification = 'verified'";

const agentsColumns = `s.path AS path,
  arrayDistinct(arrayFilter(x -> x != '', arrayMap(x -> substringUTF8(x, 1, ${MOST_CHARACTERS}), [${lastUserAgent(isPerson)}, ${lastUserAgent(isVerified)}, ${lastUserAgent(`NOT ${isPerson} AND NOT ${isVerified}`)}]))) AS user_agents`;

const slowColumns = ({ search, ai }: CrawlBases) => `${agentsColumns}, count() AS hits,
  countIf(${isPerson}) AS people,
  countIf(s.traffic_class = 'search_bot' AND s.verification IN (${verificationsInSql(verificationsOf[search])})) AS search,
  countIf(s.traffic_class = 'ai_bot' AND s.verification IN (${verificationsInSql(verificationsOf[ai])})) AS ai,
  countIf(${isVerified}) AS verified,
  toUnixTimestamp64Milli(min(s.timestamp)) AS first_seen, toUnixTimestamp64Milli(max(s.timestamp)) AS last_seen,
  count(s.time_taken_ms) AS timed, sum(ifNull(s.time_taken_ms, 0)) AS time_taken_ms,
  quantileBFloat16(0.95)(s.time_taken_ms) AS p95, max(s.time_taken_ms) AS max_ms`;

/** The last user agents of requests of these paths that were answered 404, by path. @throws as ClickHouseReader.read */
export async function readNotFoundAgents(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await readPaths(reader, scope, paths, {
    name: 'recommendations.not_found_agents',
    columns: agentsColumns,
    where: 'r.status = 404',
    row: agentsRow,
  });
  return new Map(rows.map(({ path, user_agents }) => [path, user_agents]));
}

/** Requests of these paths with a known time, by path, unordered. @throws as ClickHouseReader.read */
export async function readSlow(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  bases: CrawlBases,
): Promise<SlowPath[]> {
  const rows = await readPaths(reader, scope, paths, {
    name: 'recommendations.slow',
    columns: slowColumns(bases),
    where: 'r.time_taken_ms IS NOT NULL',
    row: slowRow,
  });
  return rows.map((row) => ({ ...row, p95: row.p95 === null ? null : middleOfBFloat16(row.p95) }));
}

interface PathStatement<Row> {
  readonly name: string;
  readonly columns: string;
  readonly where: string;
  readonly row: z.ZodType<Row>;
}

async function readPaths<Row>(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  { name, columns, where, row }: PathStatement<Row>,
): Promise<Row[]> {
  const known = await withLateVerdicts(reader, scope);
  const rows = scopeClause(known);
  const verification = resolvedVerification(requestClaim, known);
  return readByTexts(paths, (batch) =>
    reader.read({
      name,
      sql: `SELECT ${columns}
FROM (
  SELECT r.path AS path, r.timestamp AS timestamp, r.log_offset AS log_offset, r.log_index AS log_index, r.user_agent AS user_agent,
    r.traffic_class AS traffic_class, r.time_taken_ms AS time_taken_ms, ${verification.sql} AS verification
  FROM requests AS r
  WHERE ${rows.sql} AND ${where} AND r.path IN {asked_paths: Array(String)}
) AS s
GROUP BY s.path`,
      params: { ...rows.params, ...verification.params, asked_paths: batch },
      row,
    }),
  );
}
