import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';
import {
  type HealthMetric,
  healthMetrics,
  type healthStatuses,
  type maturities,
} from '../detection/health-metrics.js';
import { SECOND_MS } from '../durations.js';
import { healthColumns, healthRow } from './health-row.js';

/** How each metric of a website stood, interval by interval (spec §4.9): what the detector writes. */

export interface StoredHealthPoint {
  readonly websiteId: string;
  readonly metric: HealthMetric;
  /** Of the interval, milliseconds since the epoch. */
  readonly start: number;
  readonly value: number;
  /** What was to be expected, and its spread; in the value's unit. */
  readonly mean: number;
  readonly std: number;
  readonly z: number;
  readonly status: (typeof healthStatuses)[number];
  /** Of latency: requests whose time is known. Of the others 0. */
  readonly timed: number;
  readonly maturity: (typeof maturities)[number];
  readonly observations: number;
}

/** Of one insert. */
const ROWS_PER_INSERT = 5_000;

/**
 * A point replaces the one that was written earlier of the same interval.
 * @param writtenAt milliseconds since the epoch @throws as `ClickHouseWriter.insert`: points before the failure may be stored
 */
export async function insertHealthPoints(
  writer: ClickHouseWriter,
  points: readonly StoredHealthPoint[],
  writtenAt: number,
): Promise<void> {
  for (let from = 0; from < points.length; from += ROWS_PER_INSERT) {
    const rows = points.slice(from, from + ROWS_PER_INSERT).map((one) => ({
      website_id: one.websiteId,
      metric: one.metric,
      start: one.start / SECOND_MS,
      value: one.value,
      mean: one.mean,
      std: one.std,
      z: one.z,
      status: one.status,
      timed: one.timed,
      maturity: one.maturity,
      observations: one.observations,
      written_at: dateTime64(writtenAt),
    }));
    const deduplicationToken = contentToken('health_points', rows);
    await insertRows(writer, { table: 'health_points', rows, deduplicationToken });
  }
}

/** The points of a website's intervals. @param starts some hundred at most, milliseconds since the epoch. @throws as `ClickHouseReader.read` */
export async function readHealthPointsOf(
  reader: ClickHouseReader,
  { websiteId, starts }: { readonly websiteId: string; readonly starts: readonly number[] },
): Promise<StoredHealthPoint[]> {
  if (starts.length === 0) return [];
  const rows = await reader.read({
    name: 'health_points.of_intervals',
    // A metric that a later release wrote is none of this one's.
    sql: `SELECT ${healthColumns}
FROM health_points FINAL
WHERE website_id = {website_id: String} AND toUnixTimestamp(start) IN {starts: Array(UInt32)}
  AND metric IN {metrics: Array(String)}
ORDER BY start, metric`,
    params: {
      website_id: websiteId,
      starts: starts.map((start) => start / SECOND_MS),
      metrics: healthMetrics,
    },
    row: healthRow,
  });
  return rows.map(({ start_s, ...same }) => ({ ...same, websiteId, start: start_s * SECOND_MS }));
}
