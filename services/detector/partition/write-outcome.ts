import type { Alert } from '../../../shared/alerts/alert.js';
import { inPieces } from '../../../shared/in-pieces.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredHealthPoint } from '../../../shared/queries/health-points.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, keepWriting, type RowsRefusedError, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { storeRows } from './store-rows.js';

/** What closed intervals have led to. */
export interface Outcome {
  readonly alerts: readonly Alert[];
  readonly health: readonly StoredHealthPoint[];
}

export interface OutcomeWriter {
  /**
   * Writes it in the order that survives an end between any two steps: that the partition is still this owner's, the alerts' rows,
   * the alerts' records, the points of health. The next owner sends records that are missing, from the rows. An alert whose row the store
   * refuses for good is sent all the same.
   * @throws PartitionLeftError, StaleAssignmentError
   */
  write(outcome: Outcome): Promise<void>;
  /** The alerts' records alone: of rows that are stored. */
  tell(alerts: readonly Alert[]): Promise<void>;
  /** The points of health alone. */
  saveHealth(points: readonly StoredHealthPoint[]): Promise<void>;
}

export interface OutcomeDependencies {
  readonly store: Pick<DetectorStore, 'saveAlerts' | 'saveHealth'>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  /** Commits what is committed already. @throws StaleAssignmentError where the partition has another owner */
  checkOwner(): Promise<void>;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'refusedRows'>;
  readonly logger: Logger;
  now(): number;
}

/** Of one write. */
const ALERTS_AT_ONCE = 200;

export function createOutcomeWriter(deps: OutcomeDependencies): OutcomeWriter {
  const { store, trying, metrics, logger } = deps;

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

  return {
    async write({ alerts, health }) {
      for (const some of inPieces(alerts, ALERTS_AT_ONCE))
        await save('alerts', some, (rows) => store.saveAlerts(rows));
      await tell(alerts);
      await saveHealth(health);
    },
    tell,
    saveHealth,
  };
}
