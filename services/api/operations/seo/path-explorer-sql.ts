import { z } from 'zod';
import { pathStartColumn } from '../../../../shared/reads/sql/dimensions.js';
import { oneOf } from '../../../../shared/reads/sql/filters.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import { crawlerPaths } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { selectList } from '../../../../shared/reads/sql/select.js';
import { tableSourceOf } from '../../../../shared/reads/sql/table-source.js';
import { readByTexts } from '../../../../shared/reads/sql/text-batches.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/**
 * The paths that crawlers fetch, their directories, and their totals. One statement folds the rows of each path once. Each path then counts
 * in the totals, in its own row, and in each of its directories.
 */

const count = z.number();

const places = ['total', 'path', 'directory'] as const;

const placeRow = z.object({
  place: z.enum(places),
  name: z.string(),
  requests: count,
  verified_requests: count,
  status_1xx: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
  timed_requests: count,
  time_taken_ms: count,
  /** Milliseconds since the epoch. */
  last_seen: z.number(),
  /** Distinct paths; requests without a path have none. */
  paths: count,
});
export type CrawledPlace = z.infer<typeof placeRow>;

const CLASSES = [1, 2, 3, 4, 5] as const;
const SUMS = [
  ...['requests', 'verified_requests', ...CLASSES.map((digit) => `status_${digit}xx`)],
  ...['timed_requests', 'time_taken_ms'],
].map((name) => `sum(p.${name}) AS ${name}`);

/** Deeper directories are counted in their ancestor of this level. */
export const DEEPEST_DIRECTORY = 4;

/** Every directory above the path, with a slash at both ends: `/`, `/blog/`. */
const NAMES = `splitByChar('/', ${pathStartColumn})`;
const LEVELS = `range(1, least(length(${NAMES}), ${DEEPEST_DIRECTORY + 2}))`;
const DIRECTORIES = `arrayMap(level -> concat(arrayStringConcat(arraySlice(${NAMES}, 1, level), '/'), '/'), if(startsWith(path, '/'), ${LEVELS}, []))`;

const ENTRIES = `arrayConcat([('total', '')], if(path = '', [], [('path', toString(path))]), arrayMap(name -> ('directory', name), ${DIRECTORIES}))`;

export interface CrawledPlaces {
  /** Absent without requests. */
  readonly total: CrawledPlace | undefined;
  /** Most requests first, then by name; so are the directories. */
  readonly paths: readonly CrawledPlace[];
  readonly directories: readonly CrawledPlace[];
}

/** @param scope of crawlers. @param most rows of each list. @throws as ClickHouseReader.read */
export async function readCrawledPlaces(
  reader: ClickHouseReader,
  scope: Scope,
  most: { readonly paths: number; readonly directories: number },
): Promise<CrawledPlaces> {
  const source = tableSourceOf([crawlerPaths], await withLateVerdicts(reader, scope), {
    dimensions: ['path', 'status', 'verification'],
    metrics: ['requests', 'timed_requests', 'time_taken_ms', 'last_seen'],
  });
  const classes = CLASSES.map(
    (digit) => `sumIf(s.requests, s.status >= ${digit}00 AND s.status < ${digit + 1}00) AS status_${digit}xx`,
  );
  const rows = await reader.read({
    name: 'path_explorer.places',
    sql: `SELECT tupleElement(p.entry, 1) AS place, tupleElement(p.entry, 2) AS name, ${SUMS.join(', ')},
  toUnixTimestamp64Milli(max(p.last_seen)) AS last_seen, countIf(p.path != '') AS paths
FROM (
  SELECT *, arrayJoin(${ENTRIES}) AS entry
  FROM (
    SELECT s.path AS path, sum(s.requests) AS requests, sumIf(s.requests, s.verification = 'verified') AS verified_requests, ${classes.join(', ')},
      sum(s.timed_requests) AS timed_requests, sum(s.time_taken_ms) AS time_taken_ms, max(s.last_seen) AS last_seen
    FROM (${source.sql}) AS s
    GROUP BY s.path
  )
) AS p
GROUP BY place, name
ORDER BY place, requests DESC, name
LIMIT {most: UInt32} BY place`,
    params: { ...source.params, most: Math.max(most.paths, most.directories) },
    row: placeRow,
  });
  const of = (wanted: CrawledPlace['place']) => rows.filter(({ place }) => place === wanted);
  return {
    total: of('total')[0],
    paths: of('path').slice(0, most.paths),
    directories: of('directory').slice(0, most.directories),
  };
}

/** The requests of these paths by crawler. @param scope of crawlers. @throws as ClickHouseReader.read */
export function readBotsOfPaths(reader: ClickHouseReader, scope: Scope, paths: readonly string[]) {
  return readByTexts(paths, (batch) =>
    selectList(reader, scope, {
      name: 'path_explorer.bots_of_paths',
      from: [crawlerPaths],
      by: ['path', 'bot_name'],
      metrics: ['requests'],
      where: [oneOf('path', batch)],
    }),
  );
}
