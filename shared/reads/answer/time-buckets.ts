import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { Window } from '../sql/scope.js';

const bucketMs = { hour: HOUR_MS, day: DAY_MS } as const;

/** The bucket of charts: hours for up to a week, else UTC days. */
export function granularityOf({ start, end }: Window): keyof typeof bucketMs {
  return end - start <= 7 * bucketMs.day ? 'hour' : 'day';
}

/** Rows by the start of their bucket. */
export function groupByTime<Row extends { time: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.time);
    if (group === undefined) groups.set(row.time, [row]);
    else group.push(row);
  }
  return groups;
}

/** Whether a bucket extends beyond the window or has not ended. A running window ends after now, at the latest with the current bucket. */
export function isPartial(
  { start, end, running = false }: Window,
  bucket: keyof typeof bucketMs,
  time: number,
): boolean {
  const bucketEnd = time + bucketMs[bucket];
  return time < start || bucketEnd > end || (running && bucketEnd === end);
}

/**
 * One entry for every hour or UTC day that the window touches, in order, so that a chart has no gaps. The first and last bucket may extend
 * beyond the window; only requests inside it are counted.
 *
 * @param rows at most one for each bucket, `time` being the bucket's start in milliseconds since the epoch.
 */
export function everyBucket<Row extends { time: number }, Point>(
  window: Window,
  bucket: keyof typeof bucketMs,
  rows: readonly Row[],
  toPoint: (time: number, row: Row | undefined) => Point,
): Point[] {
  const step = bucketMs[bucket];
  const byTime = new Map(rows.map((row) => [row.time, row]));
  const points: Point[] = [];
  for (let time = Math.floor(window.start / step) * step; time < window.end; time += step) {
    points.push(toPoint(time, byTime.get(time)));
  }
  return points;
}
