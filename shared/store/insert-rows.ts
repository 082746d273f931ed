import type { ClickHouseWriter, InsertOptions } from './client.js';

/**
 * A value of a row: a text, a number, a flag; a date or an instant in ClickHouse's format; a tuple by element names; an
 * array of texts.
 */
export type RowValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly [element: string]: RowValue };

/**
 * Inserts at most some thousands of rows, by column names. `requests`, which arrive every second, have a Native encoder
 * instead. Unpaired surrogates become U+FFFD.
 * @param rows at least one; all have the same columns
 * @throws as `ClickHouseWriter.insert`
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

/** An instant in the format of `DateTime64(3, 'UTC')`. @param milliseconds since the epoch. */
export function dateTime64(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ');
}

function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}
