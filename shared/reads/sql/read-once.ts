import type { ClickHouseReader, Query } from '../../store/client.js';

/** A reader for one call or run: a statement that many answers read (`Query.restsOn`) is sent once. */
export function readOnce(reader: ClickHouseReader): ClickHouseReader {
  const sent = new Map<string, Promise<unknown[]>>();
  return {
    ...reader,
    read<Row>(query: Query<Row>): Promise<Row[]> {
      if (query.restsOn === undefined) return reader.read(query);
      const key = textOf(query);
      const known = sent.get(key) as Promise<Row[]> | undefined;
      if (known !== undefined) return known;
      const rows = reader.read(query);
      sent.set(key, rows);
      // A caller may repeat a failed statement, also with other limits (answer-or-buffer.ts).
      rows.catch(() => sent.delete(key));
      return rows;
    },
  };
}

/** Statement and parameters as one text. Equal texts have equal rows while the data is unchanged. */
export function textOf({ sql, params }: Pick<Query<unknown>, 'sql' | 'params'>): string {
  return JSON.stringify([sql, params]);
}
