import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { oneOf } from '../sql/filters.js';
import { bots } from '../sql/read-tables.js';
import { rowsBetween } from '../sql/rows-between.js';
import { selectList } from '../sql/select.js';
import { type CrawlBasis, chooseBasis } from './crawl-basis-sql.js';
import { midnightOf } from './daily-build.js';
import { firstFetchDay } from './search-crawler-fetches.js';

/** A limit on families of search crawlers above any real log. */
const MOST_FAMILIES = 1_000;

/**
 * Families of search crawlers with a verified request on the days that `searchCrawlerFetches` counts. Reads few rows.
 * @param now in milliseconds since the epoch. @throws as ClickHouseReader.read
 */
export async function readVerifiedFamilies(
  reader: ClickHouseReader,
  websiteId: string,
  now: number,
): Promise<string[]> {
  const window = { start: firstFetchDay(now), end: midnightOf(now) + DAY_MS };
  const families = await selectList(
    reader,
    { websiteId, window, filters: {} },
    {
      name: 'crawl_basis.families',
      from: [bots],
      by: ['bot_family'],
      limit: MOST_FAMILIES,
      metrics: ['verified_requests'],
      where: [oneOf('bot_category', ['search'])],
    },
  );
  return families.map(({ bot_family }) => bot_family);
}

/** The basis of all search crawlers together. @throws as ClickHouseReader.read */
export async function readCrawlBasis(
  reader: ClickHouseReader,
  websiteId: string,
  now: number,
): Promise<CrawlBasis> {
  if (await wereVerifiedBefore(reader, websiteId, now)) return chooseBasis(1);
  return chooseBasis((await readVerifiedFamilies(reader, websiteId, now)).length);
}

/** Whether any request was stored as verified before today. No later verdict changes that, and rows of past days seldom change. */
async function wereVerifiedBefore(reader: ClickHouseReader, websiteId: string, now: number) {
  const [start, end] = [firstFetchDay(now), midnightOf(now)];
  const found = await reader.read({
    name: 'crawl_basis.before',
    sql: `SELECT 1 AS found FROM bots_per_hour
WHERE website_id = {website_id: String} AND hour >= toDateTime({start: UInt32}, 'UTC') AND hour < toDateTime({end: UInt32}, 'UTC')
  AND bot_category = 'search' AND bot_verification = 'verified'
LIMIT 1`,
    params: { website_id: websiteId, start: start / 1000, end: end / 1000 },
    row: z.object({ found: z.number() }),
    restsOn: rowsBetween(websiteId, start, end),
  });
  return found.length > 0;
}
