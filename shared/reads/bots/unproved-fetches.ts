import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { rowsBetween } from '../sql/rows-between.js';
import type { Window } from '../sql/scope.js';
import { readByTexts } from '../sql/text-batches.js';
import { midnightOf } from './daily-build.js';
import { firstFetchDay, type SearchCrawlerFetches, searchCrawlerFetches } from './search-crawler-fetches.js';

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
  const known = { ...(await withLateVerdicts(reader, { websiteId, lateVerdicts })), now };
  const today = midnightOf(now);
  // Rows of past days seldom change.
  const parts = await Promise.all([
    readPart(reader, known, paths, { start: firstFetchDay(now), end: today }),
    readPart(reader, known, paths, { start: today, end: today + DAY_MS }),
  ]);
  const found = new Map<string, UnprovedFetches>();
  for (const { path, crawls, lastCrawl } of parts.flat()) {
    const other = found.get(path) ?? { crawls: 0, lastCrawl: 0 };
    const last = Math.max(other.lastCrawl, lastCrawl);
    found.set(path, { path, crawls: other.crawls + crawls, lastCrawl: last });
  }
  return found;
}

function readPart(
  reader: ClickHouseReader,
  known: Pick<SearchCrawlerFetches, 'websiteId' | 'lateVerdicts' | 'now'>,
  paths: readonly string[],
  { start, end }: Window,
) {
  return readByTexts(paths, (batch) => {
    const { sql, params } = searchCrawlerFetches({
      ...known,
      ...{ from: start, before: end, basis: 'unproved', columns: ['requests', 'last_seen'] },
      where: { sql: 'path IN {paths: Array(String)}', params: { paths: batch } },
    });
    return reader.read({
      name: 'search_crawls.unproved',
      sql: `SELECT c.path AS path, sum(c.requests) AS crawls, toUnixTimestamp64Milli(max(c.last_seen)) AS lastCrawl
FROM (${sql}) AS c
GROUP BY c.path`,
      params,
      row: unprovedRow,
      restsOn: rowsBetween(known.websiteId, start, end),
    });
  });
}
