/**
 * A read's answer in ClickHouse's format JSONCompact: rows as arrays, the columns' names once, and what the engine had to
 * read for it, which no format of single rows tells.
 */
export interface CompactAnswer {
  readonly meta: readonly { readonly name: string }[];
  readonly data: readonly (readonly unknown[])[];
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number };
}

/** What one statement took, as the engine counts it. */
export interface ReadStatistics {
  /** Rows of all tables that the engine had to look at; not those of the answer. */
  readonly rowsRead: number;
  /** Bytes of these rows, uncompressed. */
  readonly bytesRead: number;
  readonly elapsedSeconds: number;
  /** Of the answer's text. */
  readonly characters: number;
}

/** The rows as objects by column name. */
export function rowsOf({ meta, data }: CompactAnswer): Record<string, unknown>[] {
  const blank: Record<string, unknown> = Object.fromEntries(meta.map(({ name }) => [name, null]));
  // Some answers have thousands of rows: an array of entries for each would be work for the garbage collector.
  return data.map((values) => {
    const row = { ...blank };
    for (const [column, name] of Object.keys(row).entries()) row[name] = values[column];
    return row;
  });
}

export function statisticsOf({ statistics }: CompactAnswer): Omit<ReadStatistics, 'characters'> {
  return {
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedSeconds: statistics.elapsed,
  };
}
