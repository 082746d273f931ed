import { blameOf } from '../../../shared/clickhouse/store-errors.js';
import { inPieces } from '../../../shared/in-pieces.js';

/**
 * Writes the rows. Where some are refused for what they hold, or for their size, all others are written: one website's row must not hold up
 * those of its partition. @param onRefused told of each that is left out @throws what `write` throws for another reason
 */
export async function saveRows<Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<void>,
  onRefused: (row: Row, error: unknown) => void,
): Promise<void> {
  try {
    await write(rows);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (rows.length <= 1) {
      for (const row of rows) onRefused(row, error);
      return;
    }
    for (const half of inPieces(rows, Math.ceil(rows.length / 2))) await saveRows(half, write, onRefused);
  }
}

/** RangeError: a record is longer than the log takes. */
const isRefusal = (error: unknown) => error instanceof RangeError || blameOf(error) === 'rows';
