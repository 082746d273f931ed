import type { ClickHouseReader } from '../../shared/store/client.js';

export interface ReadCount {
  readonly statements: number;
  /** Rows that the engine read from all tables, by its own count. */
  readonly rowsRead: number;
}

export interface CountedReads {
  readonly reader: ClickHouseReader;
  /** Counts since the last reset, by the statements' names. Failed reads do not count. */
  byName(): ReadonlyMap<string, ReadCount>;
  total(): ReadCount;
  reset(): void;
}

/** A reader that counts its statements, and the rows that the engine reads for them. */
export function countReads(reader: ClickHouseReader): CountedReads {
  const counts = new Map<string, ReadCount>();
  const none: ReadCount = { statements: 0, rowsRead: 0 };
  const add = (a: ReadCount, b: ReadCount): ReadCount => ({
    statements: a.statements + b.statements,
    rowsRead: a.rowsRead + b.rowsRead,
  });
  return {
    reader: {
      read: (query) =>
        reader.read({
          ...query,
          report(statistics) {
            const one = { statements: 1, rowsRead: statistics.rowsRead };
            counts.set(query.name, add(counts.get(query.name) ?? none, one));
            query.report?.(statistics);
          },
        }),
    },
    byName: () => new Map(counts),
    total: () => [...counts.values()].reduce(add, none),
    reset: () => counts.clear(),
  };
}
