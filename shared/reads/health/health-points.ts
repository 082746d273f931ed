import { z } from 'zod';
import { healthMetrics, healthStatuses, maturities } from '../../detection/health-metrics.js';
import { SECOND_MS } from '../../durations.js';
import { inPieces } from '../../pacing/in-pieces.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { dateTime64, insertRows } from '../../store/insert-rows.js';
import { asIs, number, second, storedFields, text } from '../../store/stored-fields.js';

/** Metrics of a website by interval (spec §4.9), written by the detector. */

export const healthPoint = storedFields({
  websiteId: text,
  metric: asIs(z.enum(healthMetrics)),
  /** Start of the interval, milliseconds since the epoch. */
  start: second,
  value: number,
  /** The expected value and its spread, in the unit of the value. */
  mean: number,
  std: number,
  z: number,
  status: asIs(z.enum(healthStatuses)),
  /** For latency: requests with a known time. Otherwise 0. */
  timed: number,
  maturity: asIs(z.enum(maturities)),
  observations: number,
});
export type StoredHealthPoint = Readonly<z.output<typeof healthPoint.row>>;

/** Rows of one insert. */
const ROWS_PER_INSERT = 5_000;

/**
 * A point replaces an earlier one of the same interval.
 * @param writtenAt milliseconds since the epoch @throws as `ClickHouseWriter.insert`: points before the failure may be stored
 */
export async function insertHealthPoints(
  writer: ClickHouseWriter,
  points: readonly StoredHealthPoint[],
  writtenAt: number,
): Promise<void> {
  for (const some of inPieces(points, ROWS_PER_INSERT)) {
    const rows = some.map((one) => ({ ...healthPoint.toRow(one), written_at: dateTime64(writtenAt) }));
    const deduplicationToken = contentToken('health_points', rows);
    await insertRows(writer, { table: 'health_points', rows, deduplicationToken });
  }
}

/**
 * The points of a website's intervals. @param starts at most some hundred, milliseconds since the epoch. @throws as `ClickHouseReader.read`
 */
export async function readHealthPointsOf(
  reader: ClickHouseReader,
  { websiteId, starts }: { readonly websiteId: string; readonly starts: readonly number[] },
): Promise<StoredHealthPoint[]> {
  if (starts.length === 0) return [];
  return reader.read({
    name: 'health_points.of_intervals',
    // Excludes metrics that only a later release knows.
    sql: `SELECT ${healthPoint.columns('p.')}
FROM health_points AS p FINAL
WHERE p.website_id = {website_id: String} AND toUnixTimestamp(p.start) IN {starts: Array(UInt32)}
  AND p.metric IN {metrics: Array(String)}
ORDER BY p.start, p.metric`,
    params: {
      website_id: websiteId,
      starts: starts.map((start) => start / SECOND_MS),
      metrics: healthMetrics,
    },
    row: healthPoint.row,
  });
}
