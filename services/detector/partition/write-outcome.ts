import type { Alert } from '../../../shared/alerts/alert.js';
import { inPieces } from '../../../shared/in-pieces.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredHealthPoint } from '../../../shared/queries/health-points.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { isUnreadable, keepTrying, keepWriting, type RowsRefusedError, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { countsOf } from '../signals/website-signals.js';
import { storeRows } from './store-rows.js';
import type { TrackedWebsite } from './tracked-website.js';

/** What closed intervals have led to. */
export interface Outcome {
  readonly alerts: readonly Alert[];
  readonly health: readonly StoredHealthPoint[];
}

export interface OutcomeWriter<State> {
  /**
   * Writes it down in the order that survives an end between any two steps: that the partition is still this owner's, the alerts' rows,
   * the alerts' records, the points of health. What was stored and not told is told by the next owner, from the rows. An alert whose row the store
   * refuses for good is told all the same.
   * @throws PartitionLeftError, StaleAssignmentError
   */
  write(outcome: Outcome): Promise<void>;
  /** The alerts' records alone: of rows that are stored. */
  tell(alerts: readonly Alert[]): Promise<void>;
  /** Writes the health of closed intervals again that something came late for. */
  rewriteHealth(website: TrackedWebsite<State>): Promise<void>;
}

export interface OutcomeDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'valueOf'>;
  readonly store: Pick<DetectorStore, 'saveAlerts' | 'saveHealth' | 'healthOf'>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  /** Commits what is committed already. @throws StaleAssignmentError where the partition has another owner */
  checkOwner(): Promise<void>;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'refusedRows'>;
  readonly logger: Logger;
  now(): number;
}

/** Of one read: intervals of a website. */
const REWRITTEN_AT_ONCE = 200;
/** Of one write. */
const ALERTS_AT_ONCE = 200;

export function createOutcomeWriter<State>(deps: OutcomeDependencies<State>): OutcomeWriter<State> {
  const { core, store, trying, metrics, logger } = deps;

  /** The check stands before every attempt: a write that failed may have taken long. */
  const asOwner = (work: () => Promise<void>) => async () => {
    await deps.checkOwner();
    await work();
  };

  const save = <Row extends { readonly websiteId: string }>(
    table: 'alerts' | 'health_points',
    rows: readonly Row[],
    insert: (some: readonly Row[]) => Promise<void>,
  ) =>
    storeRows(rows, {
      store: (some, mostRefusals) =>
        keepWriting(
          asOwner(() => insert(some)),
          trying,
          mostRefusals,
        ),
      onRefused(refused, error: RowsRefusedError) {
        metrics.refusedRows.inc({ table }, refused.length);
        logger.error({ err: error, table, row: refused[0], rows: refused.length }, 'rows are left out');
      },
    });

  async function saveHealth(points: readonly StoredHealthPoint[]): Promise<void> {
    const writtenAt = deps.now();
    await save('health_points', points, (some) => store.saveHealth(some, writtenAt));
  }

  async function tell(alerts: readonly Alert[]): Promise<void> {
    for (const some of inPieces(alerts, ALERTS_AT_ONCE))
      await keepTrying(
        asOwner(() => deps.sendAlerts(some)),
        trying,
      );
  }

  /** @returns none where they can not be read: it is only what came late that they lack. */
  const readable = (id: string, starts: readonly number[]): Promise<StoredHealthPoint[]> =>
    keepTrying(async () => {
      try {
        return await store.healthOf(id, starts);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        logger.error({ err: error, website_id: id }, 'points of health can not be read: not counted again');
        return [];
      }
    }, trying);

  return {
    async write({ alerts, health }) {
      for (const some of inPieces(alerts, ALERTS_AT_ONCE))
        await save('alerts', some, (rows) => store.saveAlerts(rows));
      await tell(alerts);
      await saveHealth(health);
    },
    tell,
    async rewriteHealth({ id, signals }) {
      // What changes meanwhile is for the next look: whoever sends late logs without a pause must not hold up the others.
      for (const starts of inPieces([...signals.changed], REWRITTEN_AT_ONCE)) {
        for (const start of starts) signals.changed.delete(start);
        const points = await readable(id, starts);
        await saveHealth(points.map((point) => recounted(point)));
      }

      function recounted(point: StoredHealthPoint): StoredHealthPoint {
        const counts = countsOf(signals, point.start);
        if (counts === null) return point;
        const value = core.valueOf(point.metric, counts);
        const timed = point.metric === 'latency' ? counts.timed : 0;
        // What it was held for at the time stays: nobody is alerted of it any more.
        return { ...point, value, timed, z: point.std > 0 ? (value - point.mean) / point.std : 0 };
      }
    },
  };
}
