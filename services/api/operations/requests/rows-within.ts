import { createTurns } from '../../../../shared/pacing/turns.js';

/** Bytes of JSON of all rows in one answer; the first row is always included. */
const MOST_BYTES = 4 * 1024 ** 2;

/** The first rows that fit into one answer. */
export async function rowsWithin<Row>(rows: readonly Row[], mostBytes = MOST_BYTES): Promise<Row[]> {
  const giveTurn = createTurns({ milliseconds: 5 });
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (bytes > mostBytes && index > 0) return rows.slice(0, index);
    await giveTurn();
  }
  return [...rows];
}
