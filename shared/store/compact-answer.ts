/**
 * A read's answer in the format JSONCompact: rows as arrays, column names once, and statistics, which row formats lack.
 */
export interface CompactAnswer {
  readonly meta: readonly { readonly name: string }[];
  readonly data: readonly (readonly unknown[])[];
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number };
}

/** Cost of one statement, as the engine counts it. */
export interface ReadStatistics {
  /** Rows of all tables that the engine read, not those of the answer. */
  readonly rowsRead: number;
  /** Uncompressed bytes of these rows. */
  readonly bytesRead: number;
  readonly elapsedSeconds: number;
  /** Length of the answer's text. */
  readonly characters: number;
}

export function statisticsOf({ statistics }: CompactAnswer): Omit<ReadStatistics, 'characters'> {
  return {
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedSeconds: statistics.elapsed,
  };
}
