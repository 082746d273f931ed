import type { Alert } from '../../../shared/alerts/alert.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { StoredHealthPoint } from '../../../shared/reads/health/health-points.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { keepTrying } from './keep-trying.js';
import { type OwnedWriteDependencies, storeRows } from './store-rows.js';

/** The results of evaluated intervals. */
export interface Outcome {
  readonly alerts: readonly Alert[];
  readonly health: readonly StoredHealthPoint[];
}

export interface OutcomeWriter {
  /**
   * Writes alert rows, then their records, then points of health. Before each write it checks that this owner
   * still has the partition. If it is killed between two steps, the next owner sends the missing records from
   * the rows. The record of an alert is sent even if the store permanently refuses its row.
   * @throws PartitionLeftError, StaleAssignmentError
   */
  write(outcome: Outcome): Promise<void>;
  /** Sends the records of alerts whose rows are stored. */
  sendRecords(alerts: readonly Alert[]): Promise<void>;
  /** Writes points of health only. */
  saveHealth(points: readonly StoredHealthPoint[]): Promise<void>;
}

export interface OutcomeDependencies extends OwnedWriteDependencies {
  readonly store: Pick<DetectorStore, 'saveAlerts' | 'saveHealth'>;
  sendAlerts(alerts: readonly Alert[]): Promise<void>;
  readonly logger: Logger;
  now(): number;
}

/** Alerts in one write. */
const ALERTS_AT_ONCE = 200;

export function createOutcomeWriter(deps: OutcomeDependencies): OutcomeWriter {
  const { store, trying, logger } = deps;

  const save = <Row extends { readonly websiteId: string }>(
    table: 'alerts' | 'health_points',
    rows: readonly Row[],
    insert: (some: readonly Row[]) => Promise<void>,
  ) =>
    storeRows(
      rows,
      {
        table,
        insert,
        onRefused: (refused, error) =>
          logger.error({ err: error, table, row: refused[0], rows: refused.length }, 'rows are left out'),
      },
      deps,
    );

  async function saveHealth(points: readonly StoredHealthPoint[]): Promise<void> {
    const writtenAt = deps.now();
    await save('health_points', points, (some) => store.saveHealth(some, writtenAt));
  }

  async function sendRecords(alerts: readonly Alert[]): Promise<void> {
    for (const some of inPieces(alerts, ALERTS_AT_ONCE))
      await keepTrying(async () => {
        await deps.checkOwner();
        await deps.sendAlerts(some);
      }, trying);
  }

  return {
    async write({ alerts, health }) {
      const writtenAt = deps.now();
      for (const some of inPieces(alerts, ALERTS_AT_ONCE))
        await save('alerts', some, (rows) => store.saveAlerts(rows, writtenAt));
      await sendRecords(alerts);
      await saveHealth(health);
    },
    sendRecords,
    saveHealth,
  };
}
