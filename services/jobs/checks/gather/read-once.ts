import type { ClickHouseReader, Query } from '../../../../shared/store/client.js';

/** A reader for one run: statements that many answers read (`Query.restsOn`) are sent once. */
export function readOnce(reader: ClickHouseReader): ClickHouseReader {
  const sent = new Map<string, Promise<unknown[]>>();
  return {
    ...reader,
    read<Row>(query: Query<Row>): Promise<Row[]> {
      if (query.restsOn === undefined) return reader.read(query);
      const key = JSON.stringify([query.sql, query.params]);
      const known = sent.get(key) as Promise<Row[]> | undefined;
      if (known !== undefined) return known;
      const rows = reader.read(query);
      sent.set(key, rows);
      // The statement may succeed for a later answer.
      rows.catch(() => sent.delete(key));
      return rows;
    },
  };
}
