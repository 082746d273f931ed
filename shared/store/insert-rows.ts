import type { ClickHouseWriter, InsertOptions } from './client.js';

/** A value of a row: a text, a number, a flag; a date or an instant as ClickHouse writes it; a tuple by the names of its elements; texts of an array. */
export type RowValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly [element: string]: RowValue };

/**
 * Inserts rows by the names of their columns: some thousands at once at most. `requests`, which come by the second, are written in Native.
 * Half of a surrogate pair, which no column can hold, becomes U+FFFD.
 * @param rows at least one; all name the same columns.
 * @throws as `ClickHouseWriter.insert`.
 */
export function insertRows(
  writer: ClickHouseWriter,
  {
    table,
    rows,
    deduplicationToken,
    websiteId,
  }: Pick<InsertOptions, 'table' | 'deduplicationToken' | 'websiteId'> & {
    readonly rows: readonly Readonly<Record<string, RowValue>>[];
  },
): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(row, (_name, value) => wellFormed(value))}\n`);
  return writer.insert({
    table,
    columns: Object.keys(rows[0] ?? {}),
    rows: Buffer.from(lines.join('')),
    format: 'JSONEachRow',
    deduplicationToken,
    ...(websiteId !== undefined && { websiteId }),
  });
}

/** An instant as ClickHouse reads it for a `DateTime64(3, 'UTC')`. @param milliseconds since the epoch. */
export function dateTime64(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ');
}

function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
