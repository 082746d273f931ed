import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { readByTexts } from '../sql/text-batches.js';
import { type SearchCrawlerFetches, searchCrawlerFetches } from './search-crawler-fetches.js';

const unprovedRow = z.object({
  path: z.string(),
  crawls: z.number(),
  /** Milliseconds since the epoch. */
  lastCrawl: z.number(),
});
export type UnprovedFetches = Readonly<z.output<typeof unprovedRow>>;

/** Unproved fetches of these paths that claim to be of search crawlers; paths without any are absent. @throws as ClickHouseReader.read */
export async function readUnprovedFetches(
  reader: ClickHouseReader,
  { websiteId, lateVerdicts, now }: Pick<SearchCrawlerFetches, 'websiteId' | 'lateVerdicts' | 'now'>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, UnprovedFetches>> {
  if (paths.length === 0) return new Map();
  const known = await withLateVerdicts(reader, { websiteId, lateVerdicts });
  const rows = await readByTexts(paths, (batch) => {
    const { sql, params } = searchCrawlerFetches({
      ...known,
      ...{ now, basis: 'unproved', columns: ['requests', 'last_seen'] },
      where: { sql: 'path IN {paths: Array(String)}', params: { paths: batch } },
    });
    return reader.read({
      name: 'search_crawls.unproved',
      sql: `SELECT c.path AS path, sum(c.requests) AS crawls, toUnixTimestamp64Milli(max(c.last_seen)) AS lastCrawl
FROM (${sql}) AS c
GROUP BY c.path`,
      params,
      row: unprovedRow,
    });
  });
  return new Map(rows.map((row) => [row.path, row]));
}
