import type { DetectorMetrics } from './detector-metrics.js';
import { keepWriting, RowsRefusedError, type Trying } from './keep-trying.js';

/** With the delays between them, about four seconds for all rows and half a second for each part. */
const REFUSALS_OF_ALL = 5;
const REFUSALS_OF_PART = 2;
/** Trials of one search. After that many, rows that are not separated yet are left out together. */
const MOST_TRIALS = 200;

export interface OwnedWrite<Row> {
  readonly table: 'alerts' | 'health_points' | 'detector_states' | 'detector_arrivals';
  insert(rows: readonly Row[]): Promise<void>;
  /** The store accepts all other rows, but never these. */
  onRefused(rows: readonly Row[], error: RowsRefusedError): void;
}

export interface OwnedWriteDependencies {
  /**
   * Commits the committed offset again.
   * @throws StaleAssignmentError if the partition has another owner
   */
  checkOwner(): Promise<void>;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'refusedRows'>;
}

/**
 * Stores the rows as the partition's owner; ownership is checked before every attempt. Rows that the store
 * permanently refuses must not stop the partition: a binary search finds them, and they are left out.
 * @throws PartitionLeftError, StaleAssignmentError
 */
export async function storeRows<Row>(
  all: readonly Row[],
  { table, insert, onRefused }: OwnedWrite<Row>,
  { checkOwner, trying, metrics }: OwnedWriteDependencies,
): Promise<void> {
  let trials = 0;

  async function storePart(rows: readonly Row[], mostRefusals: number): Promise<void> {
    const write = async () => {
      await checkOwner();
      await insert(rows);
    };
    try {
      await keepWriting(write, trying, mostRefusals);
    } catch (error) {
      if (!(error instanceof RowsRefusedError)) throw error;
      trials += 1;
      if (rows.length === 1 || trials >= MOST_TRIALS) {
        metrics.refusedRows.inc({ table }, rows.length);
        onRefused(rows, error);
        return;
      }
      const middle = rows.length >> 1;
      await storePart(rows.slice(0, middle), REFUSALS_OF_PART);
      await storePart(rows.slice(middle), REFUSALS_OF_PART);
    }
  }

  if (all.length > 0) await storePart(all, REFUSALS_OF_ALL);
}
