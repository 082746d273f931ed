import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { midnightOf } from './daily-build.js';
import { firstCrawlDay } from './search-crawls.js';

/** Of a day before a build's own, the requests of search crawlers, impostors included. */
export interface CountedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly requests: number;
}

const countedDay = z.object({ day: z.number(), requests: z.number() });

/** As they are stored now. @param generated when the build began, in milliseconds since the epoch. @throws as ClickHouseReader.read */
export function countDays(
  reader: Pick<ClickHouseReader, 'read'>,
  websiteId: string,
  generated: number,
): Promise<CountedDay[]> {
  return reader.read({
    name: 'page_importance.counted_days',
    sql: `SELECT toUInt32(toDate(b.hour, 'UTC')) AS day, sum(b.requests) AS requests
FROM bots_per_hour AS b
WHERE b.website_id = {website_id: String} AND b.hour >= toDateTime({first: UInt32}, 'UTC') AND b.hour < toDateTime({before: UInt32}, 'UTC')
  AND b.bot_category = 'search'
GROUP BY day
ORDER BY day`,
    params: {
      website_id: websiteId,
      first: firstCrawlDay(generated) / 1000,
      before: midnightOf(generated) / 1000,
    },
    row: countedDay,
  });
}

/** Whether any day has other requests than a build counted. A day that has none any more has expired. */
export function differs(counted: readonly CountedDay[], stored: readonly CountedDay[]): boolean {
  const before = new Map(counted.map(({ day, requests }) => [day, requests]));
  return stored.some(({ day, requests }) => before.get(day) !== requests);
}
