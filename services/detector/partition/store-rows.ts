import { RowsRefusedError } from '../keep-trying.js';

/** With the delays between them some four seconds, and each of its parts half of one. */
const REFUSALS_OF_ALL = 5;
const REFUSALS_OF_PART = 2;
/** Of one search: what is not told apart by then is left out together. */
const MOST_TRIALS = 200;

export interface StoreRows<Row> {
  /** Tries until it is stored. @throws RowsRefusedError after so many refusals */
  store(rows: readonly Row[], mostRefusals: number): Promise<void>;
  /** The store takes all other rows, and never these. */
  onRefused(rows: readonly Row[], error: RowsRefusedError): void;
}

/**
 * Stores the rows, but for those that the store refuses for good: one of them must not stop a partition with all its websites. They are found by
 * halves. @throws what `store` does but for RowsRefusedError
 */
export async function storeRows<Row>(
  all: readonly Row[],
  { store, onRefused }: StoreRows<Row>,
): Promise<void> {
  let trials = 0;

  async function storePart(rows: readonly Row[], mostRefusals: number): Promise<void> {
    try {
      await store(rows, mostRefusals);
    } catch (error) {
      if (!(error instanceof RowsRefusedError)) throw error;
      trials += 1;
      if (rows.length === 1 || trials >= MOST_TRIALS) return onRefused(rows, error);
      const middle = rows.length >> 1;
      await storePart(rows.slice(0, middle), REFUSALS_OF_PART);
      await storePart(rows.slice(middle), REFUSALS_OF_PART);
    }
  }

  if (all.length > 0) await storePart(all, REFUSALS_OF_ALL);
}
