import type { ClickHouseReader } from '../clickhouse/client.js';
import type { Scope } from '../queries/scope.js';
import { toStatusClassCounts } from './figures.js';
import { readPathsOfPattern } from './url-patterns.js';

/** The URLs that a pattern of /seo/url-patterns stands for: together they have its figures. @param scope of crawlers. @throws as ClickHouseReader.read */
export async function patternPaths(reader: ClickHouseReader, scope: Scope, pattern: string) {
  const rows = await readPathsOfPattern(reader, scope, pattern);
  return rows.map((row) => ({
    path: row.path_start,
    requests: row.requests,
    ...toStatusClassCounts(row),
  }));
}
