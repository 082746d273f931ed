import { INTERVAL_MINUTES } from '../../shared/detection/health-metrics.js';
import { MINUTE_MS } from '../../shared/durations.js';
import { insertHealthPoints, type StoredHealthPoint } from '../../shared/reads/health/health-points.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';

/** Stores consecutive intervals of five minutes as the detector does, one for each `given`. */
export async function insertIntervals(
  writer: ClickHouseWriter,
  first: Pick<StoredHealthPoint, 'websiteId' | 'start'>,
  given: readonly Partial<StoredHealthPoint>[],
  writtenAt = first.start,
): Promise<void> {
  const points = given.map((point, index) => ({
    metric: 'traffic' as const,
    value: 100,
    mean: 90,
    std: 10,
    z: 1,
    status: 'normal' as const,
    timed: 0,
    maturity: 'mature' as const,
    observations: 5_000,
    ...first,
    start: first.start + index * INTERVAL_MINUTES * MINUTE_MS,
    ...point,
  }));
  await insertHealthPoints(writer, points, writtenAt);
}
