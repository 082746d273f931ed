import { z } from 'zod';
import { findTables } from '../../deploy/admin/rows/erase-rows.js';
import type { ClickHouseReader } from '../../shared/store/client.js';

export interface StoredText {
  readonly table: string;
  readonly column: string;
  /** For an address, its plain form. */
  readonly text: string;
}

/** Every different text and address in any column of any table, as a search of the disk would find. */
export async function storedTexts(reader: ClickHouseReader): Promise<StoredText[]> {
  const found: StoredText[] = [];
  for (const { table, columns } of await findTables(reader))
    for (const { name, type } of columns.filter((column) =>
      /String|IPv[46]|FixedString|UUID/.test(column.type),
    )) {
      if (type.startsWith('AggregateFunction(')) continue;
      const rows = await reader.read({
        name: 'test.texts',
        sql: `SELECT DISTINCT replaceOne(toString(${name}), '::ffff:', '') AS text FROM ${table}`,
        params: {},
        row: z.object({ text: z.string() }),
      });
      found.push(...rows.map(({ text }) => ({ table, column: name, text })));
    }
  return found;
}
