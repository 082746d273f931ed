import { z } from 'zod';
import { healthMetrics, healthStatuses, maturities } from '../../detection/health-metrics.js';
import { SECOND_MS } from '../../durations.js';
import { inPieces } from '../../pacing/in-pieces.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { dateTime64, insertRows } from '../../store/insert-rows.js';
import { asIs, number, second, storedFields, text } from '../../store/stored-fields.js';

/** How each metric of a website stood, interval by interval (spec §4.9): what the detector writes. */

export const healthPoint = storedFields({
  websiteId: text,
  metric: asIs(z.enum(healthMetrics)),
  /** Of the interval, milliseconds since the epoch. */
  start: second,
  value: number,
  /** What was to be expected, and its spread; in the value's unit. */
  mean: number,
  std: number,
  z: number,
  status: asIs(z.enum(healthStatuses)),
  /** Of latency: requests whose time is known. Of the others 0. */
  timed: number,
  maturity: asIs(z.enum(maturities)),
  observations: number,
});
export type StoredHealthPoint = Readonly<z.output<typeof healthPoint.row>>;

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
  for (const some of inPieces(points, ROWS_PER_INSERT)) {
    const rows = some.map((one) => ({ ...healthPoint.toRow(one), written_at: dateTime64(writtenAt) }));
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
  return reader.read({
    name: 'health_points.of_intervals',
    // A metric that a later release wrote is none of this one's.
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
