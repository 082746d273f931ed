import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { SearchConnection } from '../search-performance/search-connection.js';

/** The last inspection of one path. Texts are empty where the engine said nothing. */
export interface StoredInspection {
  readonly url: string;
  readonly verdict: string;
  readonly coverageState: string;
  readonly engineCanonical: string;
  /** Milliseconds since the epoch. */
  readonly inspectedAt: number;
}

/** null: it never was. @throws as ClickHouseReader.read */
export async function readInspection(
  reader: ClickHouseReader,
  { websiteId, sourceId }: Pick<SearchConnection, 'websiteId' | 'sourceId'>,
  path: string,
): Promise<StoredInspection | null> {
  const [row] = await reader.read({
    name: 'index_inspections.one',
    sql: `SELECT i.url AS url, i.verdict AS verdict, i.coverage_state AS coverage_state, i.engine_canonical AS engine_canonical, toUnixTimestamp64Milli(i.inspected_at) AS inspected_ms
FROM index_inspections AS i
WHERE i.website_id = {website_id: String} AND i.source_id = {source_id: String} AND i.path = {path: String}
ORDER BY i.inspected_at DESC LIMIT 1`,
    params: { website_id: websiteId, source_id: sourceId, path },
    row: z.object({
      url: z.string(),
      verdict: z.string(),
      coverage_state: z.string(),
      engine_canonical: z.string(),
      inspected_ms: z.number(),
    }),
  });
  if (row === undefined) return null;
  const { url, verdict, coverage_state, engine_canonical, inspected_ms } = row;
  return {
    ...{ url, verdict, coverageState: coverage_state },
    ...{ engineCanonical: engine_canonical, inspectedAt: inspected_ms },
  };
}
