import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { CandidatePaths } from '../robots/candidate-paths.js';
import { fetchOutcomes, type RobotsFetch } from '../robots/versions-in-force.js';
import { combine } from './clause.js';
import type { DimensionFilter } from './filters.js';
import { type Scope, scopeClause } from './scope.js';

/** The robots.txt of a website as it was fetched, and the requests that are held against it. */

export interface StoredRobotsFetch extends RobotsFetch {
  /** 0 where nothing answered. */
  readonly httpStatus: number;
  readonly finalUrl: string;
  /** Why it failed, fit for the customer; '' where it did not. */
  readonly problem: string;
}

export interface RobotsVersion {
  readonly hash: string;
  readonly content: string;
  /** The file is longer, and was read as far as crawlers read it. */
  readonly isTruncated: boolean;
}

/** Fetches that are looked at, the newest ones: more than two years of daily ones. */
const MAX_FETCHES = 1_000;

const fetchRow = z.object({
  fetched_at_ms: z.number(),
  outcome: z.enum(fetchOutcomes),
  http_status: z.number(),
  final_url: z.string(),
  hash: z.string(),
  problem: z.string(),
});

/** In order of time. */
export async function readRobotsFetches(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<StoredRobotsFetch[]> {
  const rows = await reader.read({
    name: 'robots.fetches',
    sql: `SELECT toUnixTimestamp64Milli(fetched_at) AS fetched_at_ms, outcome, http_status, final_url, hash, problem
FROM robots_fetches FINAL
WHERE website_id = {website_id: String}
ORDER BY fetched_at DESC
LIMIT ${MAX_FETCHES}`,
    params: { website_id: websiteId },
    row: fetchRow,
  });
  return rows.reverse().map((row) => ({
    fetchedAt: row.fetched_at_ms,
    outcome: row.outcome,
    hash: row.hash,
    httpStatus: row.http_status,
    finalUrl: row.final_url,
    problem: row.problem,
  }));
}

const versionRow = z.object({ hash: z.string(), content: z.string(), is_truncated: z.boolean() });

/** By hash; those that are not stored are absent. */
export async function readRobotsVersions(
  reader: ClickHouseReader,
  websiteId: string,
  hashes: readonly string[],
): Promise<Map<string, RobotsVersion>> {
  if (hashes.length === 0) return new Map();
  const rows = await reader.read({
    name: 'robots.versions',
    sql: `SELECT hash, content, is_truncated
FROM robots_versions FINAL
WHERE website_id = {website_id: String} AND hash IN {hashes: Array(String)}`,
    params: { website_id: websiteId, hashes },
    row: versionRow,
  });
  return new Map(
    rows.map(({ hash, content, is_truncated }) => [hash, { hash, content, isTruncated: is_truncated }]),
  );
}

/** The paths that are candidates, and no others. */
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

/** URLs with a query string that these crawlers asked for, from the raw rows: most requests first, then by name. */
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
