import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { merged, mergedInstant } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Requests by path, without the query string. For chosen countries the raw rows are read over the whole window. */

const pathsRollup: Rollup = {
  hourTable: 'paths_per_hour',
  dayTable: 'paths_per_day',
  dimensions: { path: 'r.path' },
  metrics: [
    'requests',
    'human_requests',
    'search_bot_requests',
    'ai_bot_requests',
    'status_2xx',
    'status_3xx',
    'status_4xx',
    'status_5xx',
    'bytes_sent',
    'timed_requests',
    'time_taken_ms',
    'time_taken_ms_max',
    'last_seen',
  ],
};

const count = z.number();

const pathRow = z.object({
  path: z.string(),
  requests: count,
  human_requests: count,
  search_bot_requests: count,
  ai_bot_requests: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
  bytes_sent: count,
  timed_requests: count,
  time_taken_ms: count,
  time_taken_ms_max: count,
  last_seen: z.number(),
});

export type PathRow = z.infer<typeof pathRow>;

/** Most requests first, then by path. */
export function listPaths(
  reader: ClickHouseReader,
  scope: Scope,
  { limit }: { limit: number },
): Promise<PathRow[]> {
  const source = rollupSource(pathsRollup, scope, { dimensions: ['path'], metrics: pathsRollup.metrics });
  const folded = pathsRollup.metrics
    .filter((metric) => metric !== 'last_seen')
    .map((metric) => `${merged(metric)} AS ${metric}`);
  return reader.read({
    name: 'paths.list',
    sql: `SELECT s.path AS path, ${folded.join(', ')}, ${mergedInstant('last_seen')} AS last_seen
FROM (${source.sql}) AS s
GROUP BY path
ORDER BY requests DESC, path
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: pathRow,
  });
}

const pathCountRow = z.object({ path: z.string(), requests: count });

/** Requests of the named paths; those without any are absent. */
export function countPaths(
  reader: ClickHouseReader,
  scope: Scope,
  { paths }: { paths: readonly string[] },
): Promise<z.infer<typeof pathCountRow>[]> {
  const source = rollupSource(pathsRollup, scope, {
    dimensions: ['path'],
    metrics: ['requests'],
    where: { sql: 'path IN {paths: Array(String)}', params: { paths } },
  });
  return reader.read({
    name: 'paths.count',
    sql: `SELECT s.path AS path, ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY path
ORDER BY path`,
    params: source.params,
    row: pathCountRow,
  });
}
