import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { oneOf } from '../sql/filters.js';
import { bots } from '../sql/read-tables.js';
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
  return chooseBasis((await readVerifiedFamilies(reader, websiteId, now)).length);
}
