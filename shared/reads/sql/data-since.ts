import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';

/** Start of a website's stored requests, in milliseconds since the epoch. */
export interface LogStart {
  /** The hour of the oldest stored request. */
  readonly since: number;
  /** The hour after the last gap in the logs; `since` without a gap. */
  readonly completeSince: number;
}

const row = z.object({ since: z.number(), complete_since: z.number() });

/** A shorter time without a request may be a quiet night. */
const LEAST_GAP_SECONDS = DAY_MS / 1_000;
/** A website with few requests has hours without one. A gap is this much longer than the mean distance of its hours with requests. */
const GAP_FACTOR = 10;

/** null without a request. */
export async function readLogStart(reader: ClickHouseReader, websiteId: string): Promise<LogStart | null> {
  const [start] = await reader.read({
    name: 'data_since',
    // The hourly table with the fewest rows: two for each hour.
    sql: `WITH
  arraySort(groupUniqArray(toUnixTimestamp(hour))) AS hours,
  arrayMap((at, earlier) -> at - earlier, arrayPopFront(hours), arrayPopBack(hours)) AS steps,
  greatest(${LEAST_GAP_SECONDS}, ${GAP_FACTOR} * (hours[-1] - hours[1]) / greatest(length(steps), 1)) AS gap
SELECT
  toInt64(hours[1]) * 1000 AS since,
  toInt64(hours[1 + arrayLastIndex(step -> step > gap, steps)]) * 1000 AS complete_since
FROM estimates_per_hour
WHERE website_id = {website_id: String}
HAVING notEmpty(hours)`,
    params: { website_id: websiteId },
    row,
    restsOn: { websiteId, part: 'filled_hours' },
  });
  return start === undefined ? null : { since: start.since, completeSince: start.complete_since };
}
