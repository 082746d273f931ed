import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { StoredHealthPoint } from '../../../shared/reads/health/health-points.js';
import { emptyCounts, type SpanCounts } from '../counts/span-counts.js';
import type { DetectorCore } from '../evaluation/core.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { isUnreadable, keepTrying, type Trying } from './keep-trying.js';
import type { TrackedWebsite } from './tracked-website.js';
import type { OutcomeWriter } from './write-outcome.js';

export interface RecountDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'valueOf'>;
  readonly store: Pick<DetectorStore, 'healthOf' | 'counts'>;
  readonly writer: Pick<OutcomeWriter, 'saveHealth'>;
  readonly trying: Trying;
  readonly logger: Logger;
}

/** Intervals of a website that are counted and written together. */
const AT_ONCE = 200;

/**
 * Recounts and writes the health of closed intervals with late requests. Expected values do not change, and
 * no alert is raised.
 * @throws PartitionLeftError, StaleAssignmentError
 */
export async function recountHealth<State>(
  { id, arrivals: { changed } }: TrackedWebsite,
  deps: RecountDependencies<State>,
): Promise<void> {
  // Later changes wait for the next checkpoint: continuous late logs of one sender must not delay other
  // websites.
  for (const starts of inPieces(
    [...changed].sort((a, b) => a - b),
    AT_ONCE,
  )) {
    for (const start of starts) changed.delete(start);
    const points = await pointsOf(id, starts, deps);
    if (points.length === 0) continue;
    const span = { from: starts[0]!, to: starts.at(-1)! + INTERVAL_MS, lengthMs: INTERVAL_MS };
    const read = () => deps.store.counts({ ...span, websiteIds: [id], lists: 'none' });
    const counts = (await keepTrying(read, deps.trying)).get(id);
    await deps.writer.saveHealth(
      points.map((point) => recounted(point, counts?.get(point.start) ?? emptyCounts(point.start), deps)),
    );
  }
}

/** @returns an empty list if the points cannot be read. They then stay without the late requests. */
function pointsOf<State>(
  id: string,
  starts: readonly number[],
  { store, trying, logger }: RecountDependencies<State>,
): Promise<StoredHealthPoint[]> {
  return keepTrying(async () => {
    try {
      return await store.healthOf(id, starts);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      logger.error({ err: error, website_id: id }, 'points of health cannot be read: not counted again');
      return [];
    }
  }, trying);
}

function recounted<State>(
  point: StoredHealthPoint,
  counts: SpanCounts,
  { core }: RecountDependencies<State>,
): StoredHealthPoint {
  const value = core.valueOf(point.metric, counts);
  const timed = point.metric === 'latency' ? counts.timed : 0;
  return { ...point, value, timed, z: point.std > 0 ? (value - point.mean) / point.std : 0 };
}
