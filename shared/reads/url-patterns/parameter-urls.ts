import type { ClickHouseReader } from '../../store/client.js';
import { statusClasses } from '../answer/figures.js';
import { oneOf, onPaths } from '../sql/filters.js';
import { crawlerQueries } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { compareBytes } from '../sql/text-order.js';

/** URLs with a query string. */

/**
 * Paths, most requests first: the number of their query strings, and the start of the latest one.
 * @param scope of crawlers.
 * @throws as ClickHouseReader.read
 */
export function readParameterUrls(reader: ClickHouseReader, scope: Scope, limit: number) {
  return selectList(reader, scope, {
    name: 'url_patterns.parameter_urls',
    from: [crawlerQueries],
    by: ['path_start'],
    limit,
    metrics: ['requests'],
    latest: ['query_start'],
    distinct: ['query'],
    where: [onPaths],
  });
}

/** The URLs with a query string of these paths, most requests first. @param scope of crawlers. @throws as ClickHouseReader.read */
export async function readUrlsOfPaths(
  reader: ClickHouseReader,
  scope: Scope,
  { paths, limit }: { readonly paths: readonly string[]; readonly limit: number },
) {
  const rows = await readByTexts(paths, (batch) =>
    selectList(reader, scope, {
      name: 'url_patterns.urls',
      from: [crawlerQueries],
      by: ['path_start', 'query_start'],
      limit,
      metrics: ['requests', ...statusClasses],
      where: [oneOf('path_start', batch)],
    }),
  );
  const urls = rows.map(({ path_start, query_start, ...row }) => ({
    url: `${path_start}?${query_start}`,
    ...row,
  }));
  return urls
    .sort((one, other) => other.requests - one.requests || compareBytes(one.url, other.url))
    .slice(0, limit);
}
