import { z } from 'zod';
import { type HealthMetric, healthMetrics } from '../../detection/health-metrics.js';
import { SECOND_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { healthPoint, type StoredHealthPoint } from './health-points.js';

/** Metrics of a website by interval (spec §4.9). Points are stored for a month: 9,000 for each metric. */

/** The last evaluated interval of each metric; metrics without one are absent. */
export async function readNewestHealth(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<Partial<Record<HealthMetric, StoredHealthPoint>>> {
  const rows = await reader.read({
    name: 'health.newest',
    sql: `SELECT ${healthPoint.columns('p.')}
FROM health_points AS p FINAL
WHERE p.website_id = {website_id: String} AND p.metric IN {metrics: Array(String)}
ORDER BY p.metric, p.start DESC
LIMIT 1 BY p.metric`,
    params: { website_id: websiteId, metrics: healthMetrics },
    row: healthPoint.row,
  });
  return Object.fromEntries(rows.map((row) => [row.metric, row]));
}

/** Start of the first stored interval of a metric, milliseconds since the epoch; null: none. */
export async function readFirstHealth(
  reader: ClickHouseReader,
  { websiteId, metric }: { readonly websiteId: string; readonly metric: HealthMetric },
): Promise<number | null> {
  const [row] = await reader.read({
    name: 'health.first',
    sql: `SELECT toUnixTimestamp(p.start) AS start_s
FROM health_points AS p
WHERE p.website_id = {website_id: String} AND p.metric = {metric: String}
ORDER BY p.start
LIMIT 1`,
    params: { website_id: websiteId, metric },
    row: z.object({ start_s: z.number() }),
  });
  return row === undefined ? null : row.start_s * SECOND_MS;
}

const hour = z.object({
  time: z.number(),
  intervals: z.number(),
  unjudged: z.number(),
  value: z.number(),
  mean: z.number(),
  variance: z.number(),
  timed: z.number(),
  timed_value: z.number(),
  timed_mean: z.number(),
  timed_variance: z.number(),
});

/** Sums over the intervals of an hour. */
export interface HealthHour extends z.infer<typeof hour> {}

/**
 * The hours from `start` (milliseconds since the epoch, a whole hour) that have an interval, in order. The `timed_…` sums are weighted by
 * the requests with a known time. Their variance is weighted by the square, as for a weighted mean. The field `unjudged` counts intervals
 * without a baseline.
 */
export function readHealthHours(
  reader: ClickHouseReader,
  {
    websiteId,
    metric,
    start,
  }: { readonly websiteId: string; readonly metric: HealthMetric; readonly start: number },
): Promise<HealthHour[]> {
  return reader.read({
    name: 'health.hours',
    sql: `SELECT
  toUnixTimestamp(toStartOfHour(p.start)) * 1000 AS time,
  count() AS intervals,
  countIf(p.maturity = 'building') AS unjudged,
  sum(p.value) AS value,
  sum(p.mean) AS mean,
  sum(p.std * p.std) AS variance,
  sum(p.timed) AS timed,
  sum(p.value * p.timed) AS timed_value,
  sum(p.mean * p.timed) AS timed_mean,
  sum(p.std * p.std * p.timed * p.timed) AS timed_variance
FROM health_points AS p FINAL
WHERE p.website_id = {website_id: String} AND p.metric = {metric: String} AND p.start >= fromUnixTimestamp({start: UInt32})
GROUP BY time
ORDER BY time`,
    params: { website_id: websiteId, metric, start: start / SECOND_MS },
    row: hour,
  });
}
