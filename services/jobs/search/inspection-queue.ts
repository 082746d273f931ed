import { z } from 'zod';
import type { ConnectedSource } from '../../../shared/connections/connected-source.js';
import { DAY_MS } from '../../../shared/durations.js';
import { recentPages } from '../../../shared/reads/search/search-performance-sql.js';
import { listedPaths, listedSince } from '../../../shared/reads/sitemaps/listed-paths.js';
import { readSitemapState } from '../../../shared/reads/sitemaps/sitemaps-sql.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** The queue of paths for inspection. */

/** A path is not inspected again within this time. */
const RESTS_MS = 3 * DAY_MS;

/** Inspections since a time, milliseconds since the epoch. @throws as ClickHouseReader.read */
export async function countInspections(
  reader: ClickHouseReader,
  { websiteId, sourceId }: ConnectedSource,
  since: number,
): Promise<number> {
  const [row] = await reader.read({
    name: 'index_inspections.count',
    sql: `SELECT count() AS inspections FROM index_inspections AS i
WHERE i.website_id = {website_id: String} AND i.source_id = {source_id: String} AND i.inspected_at > fromUnixTimestamp64Milli({since: Int64}, 'UTC')`,
    params: { website_id: websiteId, source_id: sourceId, since },
    row: z.object({ inspections: z.number() }),
  });
  return row?.inspections ?? 0;
}

/**
 * Uninspected paths first: those of the last 28 days by their impressions, then those in the sitemaps. The paths with the oldest inspections follow.
 * @param options `now`: milliseconds since the epoch. @throws as ClickHouseReader.read
 */
export async function readPathsToInspect(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<string[]> {
  const since = listedSince(await readSitemapState(reader, source.websiteId));
  const listed = since === null ? null : listedPaths(source.websiteId, since);
  const shown = recentPages(source);
  const rows = await reader.read({
    name: 'index_inspections.queue',
    sql: `SELECT c.path AS path, sum(c.impressions) AS shown, toUnixTimestamp64Milli(max(c.inspected)) AS inspected_ms
FROM (
  SELECT path, impressions, toDateTime64(0, 3, 'UTC') AS inspected FROM (${shown.sql})
  ${listed === null ? '' : `UNION ALL SELECT path, toUInt64(0) AS impressions, toDateTime64(0, 3, 'UTC') AS inspected FROM (${listed.sql})`}
  UNION ALL SELECT i.path AS path, toUInt64(0) AS impressions, i.inspected_at AS inspected FROM index_inspections AS i
  WHERE i.website_id = {search_website_id: String} AND i.source_id = {search_source_id: String}
) AS c
GROUP BY c.path
HAVING inspected_ms < {rested: Int64}
ORDER BY inspected_ms, shown DESC, path
LIMIT {limit: UInt32}`,
    params: { ...shown.params, ...listed?.params, rested: now - RESTS_MS, limit },
    row: z.object({ path: z.string(), shown: z.number(), inspected_ms: z.number() }),
  });
  return rows.map(({ path }) => path);
}
