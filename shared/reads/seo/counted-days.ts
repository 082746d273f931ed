import { z } from 'zod';
import { SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { buildSettings, midnightOf } from '../bots/daily-build.js';
import { firstFetchDay } from '../bots/search-crawler-fetches.js';
import { rowsBetween } from '../sql/rows-between.js';

/** Requests of search crawlers on a day before a build's own day, including impostors. */
export interface CountedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly requests: number;
}

const countedDay = z
  .object({ counted_day: z.number(), requests: z.number() })
  .transform(({ counted_day, requests }): CountedDay => ({ day: counted_day, requests }));

/**
 * Two rollups have the same requests of search crawlers: a short one, and the one by path that a build reads. An insert fills them one
 * after the other. So a build is compared with the count of its own table, taken before the build. Rows that were only in the short rollup
 * at that time are missing from the count and perhaps from the build, and make it stale. Each table removes expired rows when it merges, so
 * neither count includes them.
 */
const rollups = {
  short: { name: 'page_importance.stored_days', from: 'FROM bots_per_hour AS c', limits: {} },
  byPath: {
    name: 'page_importance.counted_days',
    from: 'FROM crawler_paths_per_hour AS c',
    // The limits of the build itself.
    limits: { timeoutMs: buildSettings.max_execution_time * SECOND_MS },
  },
} as const;

/**
 * The days as stored now, from few rows. @param generated start of the build, in milliseconds since the epoch. @throws as
 * ClickHouseReader.read
 */
export const readStoredDays = countIn('short');

/**
 * A lower bound of the days that the next build will count. It costs as much as the read of a build. @param generated start of the build.
 * @throws as ClickHouseReader.read
 */
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
        first: firstFetchDay(generated) / 1000,
        before: midnightOf(generated) / 1000,
      },
      row: countedDay,
      restsOn: rowsBetween(websiteId, firstFetchDay(generated), midnightOf(generated)),
      ...limits,
    });
}

/** Whether any stored day differs from the count of a build. A counted day without stored requests has expired. */
export function differs(counted: readonly CountedDay[], stored: readonly CountedDay[]): boolean {
  const before = new Map(counted.map(({ day, requests }) => [day, requests]));
  return stored.some(({ day, requests }) => before.get(day) !== requests);
}
