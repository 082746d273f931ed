import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { dimensions } from '../sql/dimensions.js';
import { ofRequests } from '../sql/metrics.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { readByTexts } from '../sql/text-batches.js';

/** URLs with a query string from the raw rows: rollups have only a flag for a query string. */

const parameterUrls = z.object({ path_start: z.string(), urls: z.number(), query: z.string() });
export type ParameterUrls = z.infer<typeof parameterUrls>;

const classes = ['status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const;
const count = z.number();
const parameterUrl = z.object({
  ...{ url: z.string(), requests: count },
  ...{ status_1xx: count, status_2xx: count, status_3xx: count, status_4xx: count, status_5xx: count },
});

/** Maximum characters of a shown query string. */
export const QUERY_START_CHARACTERS = 500;

/**
 * URLs by path, most requests first: the number that differ in their query strings (exact if small; standard error 0.81 %), and the query
 * string of the latest request.
 * @param scope of crawlers.
 * @throws as ClickHouseReader.read
 */
export function readParameterUrls(
  reader: ClickHouseReader,
  scope: Scope,
  limit: number,
): Promise<ParameterUrls[]> {
  const where = scopeClause(scope);
  return reader.read({
    name: 'url_patterns.parameter_urls',
    sql: `SELECT ${dimensions.path_start.ofRequests} AS path_start, uniqCombined64(14)(r.path, r.query) AS urls,
  substringUTF8(argMax(r.query, tuple(r.timestamp, r.log_partition, r.log_offset, r.log_index)), 1, ${QUERY_START_CHARACTERS}) AS query
FROM requests AS r
WHERE ${where.sql} AND r.query != '' AND r.path != ''
GROUP BY path_start
ORDER BY count() DESC, path_start
LIMIT {most_paths: UInt32}`,
    params: { ...where.params, most_paths: limit },
    row: parameterUrls,
  });
}

/** The URLs with a query string of these paths, most requests first. @param scope of crawlers. @throws as ClickHouseReader.read */
export async function readUrlsOfPaths(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, limit }: { readonly paths: readonly string[]; readonly limit: number },
): Promise<z.infer<typeof parameterUrl>[]> {
  const where = scopeClause(scope);
  const pathStart = dimensions.path_start.ofRequests;
  const rows = await readByTexts(paths, (batch) =>
    reader.read({
      name: 'url_patterns.urls',
      sql: `SELECT concat(${pathStart}, '?', substringUTF8(r.query, 1, ${QUERY_START_CHARACTERS})) AS url, count() AS requests,
  ${classes.map((name) => `${ofRequests(name)} AS ${name}`).join(', ')}
FROM requests AS r
WHERE ${where.sql} AND r.query != '' AND ${pathStart} IN {asked_paths: Array(String)}
GROUP BY url
ORDER BY requests DESC, url
LIMIT {most_urls: UInt32}`,
      params: { ...where.params, asked_paths: batch, most_urls: limit },
      row: parameterUrl,
    }),
  );
  return rows.toSorted((one, other) => other.requests - one.requests).slice(0, limit);
}
