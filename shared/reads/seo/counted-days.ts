import { z } from 'zod';
import { SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { buildSettings, midnightOf } from '../bots/daily-build.js';
import { firstCrawlDay } from '../bots/search-crawls.js';

/** Of a day before a build's own, the requests of search crawlers, impostors included. */
export interface CountedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly requests: number;
}

const countedDay = z
  .object({ counted_day: z.number(), requests: z.number() })
  .transform(({ counted_day, requests }): CountedDay => ({ day: counted_day, requests }));

/**
 * Two rollups hold the same requests of search crawlers: one that is short, and the one by path that a build is made from. An insert fills
 * them one after the other, so what counts for a build is what stood in its own table before it was made: rows that were in the short one
 * alone at that moment are missing from the count as they may be from the build, and make it stale. Expired rows go from each table when it
 * merges, so they count in neither.
 */
const rollups = {
  short: { name: 'page_importance.stored_days', from: 'FROM bots_per_hour AS c', limits: {} },
  byPath: {
    name: 'page_importance.counted_days',
    from: 'FROM crawler_paths_per_hour AS c',
    // What the build itself has.
    limits: { timeoutMs: buildSettings.max_execution_time * SECOND_MS },
  },
} as const;

/** As they are stored now, from few rows. @param generated when the build began, in milliseconds since the epoch. @throws as ClickHouseReader.read */
export const readStoredDays = countIn('short');

/** As a build that is made next counts them at least; as costly as reading for the build. @param generated when it began. @throws as ClickHouseReader.read */
export const countDays = countIn('byPath');

function countIn(rollup: keyof typeof rollups) {
  const { name, from, limits } = rollups[rollup];
  return (
    reader: Pick<ClickHouseReader, 'read'>,
    websiteId: string,
    generated: number,
  ): Promise<CountedDay[]> =>
    reader.read({
      name,
      sql: `SELECT toUInt32(toDate(c.hour, 'UTC')) AS counted_day, sum(c.requests) AS requests
${from}
WHERE c.website_id = {website_id: String}
  AND c.hour >= toDateTime({first: UInt32}, 'UTC') AND c.hour < toDateTime({before: UInt32}, 'UTC')
  AND c.bot_category = 'search' AND c.expires >= toDate(now('UTC'))
GROUP BY counted_day
ORDER BY counted_day`,
      params: {
        website_id: websiteId,
        first: firstCrawlDay(generated) / 1000,
        before: midnightOf(generated) / 1000,
      },
      row: countedDay,
      ...limits,
    });
}

/** Whether any day has other requests than a build counted. A day that has none any more has expired. */
export function differs(counted: readonly CountedDay[], stored: readonly CountedDay[]): boolean {
  const before = new Map(counted.map(({ day, requests }) => [day, requests]));
  return stored.some(({ day, requests }) => before.get(day) !== requests);
}
