import { z } from 'zod';
import type { CandidatePaths } from '../../robots/candidate-paths.js';
import { fetchOutcomes } from '../../robots/versions-in-force.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { dateTime64, insertRows, type RowValue } from '../../store/insert-rows.js';
import { asIs, flag, instant, number, storedFields, text } from '../../store/stored-fields.js';
import { combine } from '../sql/clause.js';
import type { DimensionFilter } from '../sql/filters.js';
import { type Scope, scopeClause } from '../sql/scope.js';

/** The fetched robots.txt of a website, and the requests that are judged by it. */

const fetched = storedFields({
  fetchedAt: instant,
  outcome: asIs(z.enum(fetchOutcomes)),
  /** SHA-256 of the file; '' if no file was found. */
  hash: text,
  /** 0 without a response. */
  httpStatus: number,
  finalUrl: text,
  /** Reason of the failure, fit for the customer; '' without a failure. */
  problem: text,
});
export type StoredRobotsFetch = Readonly<z.output<typeof fetched.row>>;

const version = storedFields({
  hash: text,
  content: text,
  /** The file is longer; it was read up to the length that crawlers read. */
  isTruncated: flag,
});
export type RobotsVersion = Readonly<z.output<typeof version.row>>;

/** Maximum fetches that are read, newest first: more than two years of daily fetches. */
const MAX_FETCHES = 1_000;

/** In order of time. */
export async function readRobotsFetches(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<StoredRobotsFetch[]> {
  const rows = await reader.read({
    name: 'robots.fetches',
    sql: `SELECT ${fetched.columns()}
FROM robots_fetches FINAL
WHERE website_id = {website_id: String}
ORDER BY fetched_at DESC
LIMIT ${MAX_FETCHES}`,
    params: { website_id: websiteId },
    row: fetched.row,
  });
  return rows.reverse();
}

/** Versions by hash; versions that are not stored are absent. */
export async function readRobotsVersions(
  reader: ClickHouseReader,
  websiteId: string,
  hashes: readonly string[],
): Promise<Map<string, RobotsVersion>> {
  if (hashes.length === 0) return new Map();
  const rows = await reader.read({
    name: 'robots.versions',
    sql: `SELECT ${version.columns()}
FROM robots_versions FINAL
WHERE website_id = {website_id: String} AND hash IN {hashes: Array(String)}`,
    params: { website_id: websiteId, hashes },
    row: version.row,
  });
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Stores the content of a fetch and then the fetch; a repeat changes nothing. */
export async function insertRobotsFetch(
  writer: ClickHouseWriter,
  websiteId: string,
  fetch: StoredRobotsFetch,
  found: RobotsVersion | null,
): Promise<void> {
  const insert = (table: string, row: Record<string, RowValue>) =>
    insertRows(writer, {
      table,
      rows: [{ website_id: websiteId, ...row }],
      deduplicationToken: `${table}/${websiteId}/${fetch.fetchedAt}`,
      websiteId,
    });
  if (found !== null)
    await insert('robots_versions', { ...version.toRow(found), stored_at: dateTime64(fetch.fetchedAt) });
  await insert('robots_fetches', fetched.toRow(fetch));
}

/** A condition that selects the candidate paths. */
export function candidatesOnly({ beginnings, parts }: CandidatePaths): DimensionFilter {
  const byLength = new Map<number, string[]>();
  for (const text of beginnings) {
    const same = byLength.get(text.length);
    if (same === undefined) byLength.set(text.length, [text]);
    else same.push(text);
  }
  return {
    dimension: 'path',
    clause: (column) => ({
      sql: `(${[
        `multiSearchAny(${column}, {only_path_parts: Array(String)})`,
        ...[...byLength.keys()].map(
          (length) => `substring(${column}, 1, ${length}) IN {only_path_${length}: Array(String)}`,
        ),
      ].join(' OR ')})`,
      params: Object.fromEntries([
        ['only_path_parts', parts],
        ...[...byLength].map(([length, texts]) => [`only_path_${length}`, texts]),
      ]),
    }),
  };
}

const queriedRow = z.object({
  path: z.string(),
  query: z.string(),
  bot_name: z.string(),
  requests: z.number(),
  last_seen_ms: z.number(),
});
export type QueriedUrl = z.infer<typeof queriedRow>;

/** URLs with a query string that these crawlers requested, from the raw rows: most requests first, then by name. */
export function readQueriedUrls(
  reader: ClickHouseReader,
  scope: Scope,
  { botNames, paths, limit }: { botNames: readonly string[]; paths: DimensionFilter | null; limit: number },
): Promise<QueriedUrl[]> {
  const where = combine([
    scopeClause(scope),
    { sql: "r.query != '' AND r.bot_name IN {bot_names: Array(String)}", params: { bot_names: botNames } },
    paths === null ? null : paths.clause('r.path'),
  ]);
  return reader.read({
    name: 'robots.queried_urls',
    sql: `SELECT r.path AS path, r.query AS query, r.bot_name AS bot_name, count() AS requests,
  toUnixTimestamp64Milli(max(r.timestamp)) AS last_seen_ms
FROM requests AS r
WHERE ${where.sql}
GROUP BY path, query, bot_name
ORDER BY requests DESC, path, query, bot_name
LIMIT {limit: UInt32}`,
    params: { ...where.params, limit },
    row: queriedRow,
  });
}
