import type { ClickHouseReader } from '../../store/client.js';
import { toStatusClassCounts } from '../answer/figures.js';
import type { Scope } from '../sql/scope.js';
import { readUrlsOfPaths } from './parameter-urls.js';
import { hasParameters, MAX_PATHS, readPathsOfPattern } from './url-patterns.js';

/**
 * The URLs of a pattern of /seo/url-patterns, with query strings if the pattern has them. Up to MAX_PATHS of them add up to its figures.
 * @param scope of crawlers. @throws as ClickHouseReader.read
 */
export async function patternPaths(reader: ClickHouseReader, scope: Scope, pattern: string) {
  const paths = await readPathsOfPattern(reader, scope, pattern);
  const urls = hasParameters(pattern)
    ? await readUrlsOfPaths(reader, scope, {
        paths: paths.map(({ path_start }) => path_start),
        limit: MAX_PATHS,
      })
    : paths.map(({ path_start: url, ...figures }) => ({ url, ...figures }));
  return urls.map((row) => ({ path: row.url, requests: row.requests, ...toStatusClassCounts(row) }));
}
