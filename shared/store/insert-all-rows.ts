import { inPieces } from '../pacing/in-pieces.js';
import type { ClickHouseWriter } from './client.js';
import { contentToken } from './content-token.js';
import { insertRows, type RowValue } from './insert-rows.js';

const ROWS_AT_ONCE = 5_000;

/** Inserts any number of rows, in chunks. Repeated chunks are stored once. @throws as ClickHouseWriter.insert */
export async function insertAllRows(
  writer: ClickHouseWriter,
  websiteId: string,
  { table, rows }: { readonly table: string; readonly rows: readonly Readonly<Record<string, RowValue>>[] },
): Promise<void> {
  for (const some of inPieces(rows, ROWS_AT_ONCE)) {
    const deduplicationToken = contentToken(table, some);
    await insertRows(writer, { table, rows: some, deduplicationToken, websiteId });
  }
}
