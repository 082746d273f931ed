/**
 * Rows by id, with indexes on immutable fields. Written for the fold: putting a row twice replaces it, and an index
 * entry with one row needs no list.
 */

interface Identified {
  readonly id: string;
}

/** The readers' view. */
export interface TableView<Row extends Identified, Indexed extends keyof Row = never> {
  readonly size: number;
  get(id: string): Row | undefined;
  /** In order of first insertion. */
  values(): IterableIterator<Row>;
  /** Rows whose field has this value, in order of first insertion. */
  by(field: Indexed, value: Row[Indexed]): readonly Row[];
  /** Rows that match the table's `isMarked`, in the order in which they began to match; none by default. */
  marked(): readonly Row[];
}

export interface Table<Row extends Identified, Indexed extends keyof Row = never>
  extends TableView<Row, Indexed> {
  /** Adds the row, or replaces the one with the same id. Indexed fields must not change. */
  put(row: Row): void;
  /** Removes the row, if it exists. A later insertion puts it at the end. */
  remove(id: string): void;
}

export function createTable<Row extends Identified, Indexed extends keyof Row = never>(
  indexed: readonly Indexed[],
  /** Condition of `marked`; its result may change with the row. */
  isMarked: (row: Row) => boolean = () => false,
  /** Returns an equal row that takes less memory. */
  compact: (row: Row) => Row = (row) => row,
): Table<Row, Indexed> {
  const rows = new Map<string, Row>();
  const indexes = new Map(indexed.map((field) => [field, new Map<Row[Indexed], string | string[]>()]));

  const marks = new Set<string>();

  function addToIndexes(row: Row): void {
    for (const [field, index] of indexes) {
      const held = index.get(row[field]);
      if (held === undefined) index.set(row[field], row.id);
      else if (typeof held === 'string') index.set(row[field], [held, row.id]);
      else held.push(row.id);
    }
  }

  return {
    get size() {
      return rows.size;
    },
    get: (id) => rows.get(id),
    values: () => rows.values(),
    by(field, value) {
      const held = indexes.get(field)?.get(value) ?? [];
      const ids = typeof held === 'string' ? [held] : held;
      return ids.map((id) => rows.get(id)!);
    },
    marked: () => [...marks].map((id) => rows.get(id)!),
    put(given) {
      const row = compact(given);
      if (!rows.has(row.id)) addToIndexes(row);
      rows.set(row.id, row);
      if (isMarked(row)) marks.add(row.id);
      else marks.delete(row.id);
    },
    remove(id) {
      const row = rows.get(id);
      if (row === undefined) return;
      rows.delete(id);
      marks.delete(id);
      for (const [field, index] of indexes) {
        const held = index.get(row[field]);
        if (Array.isArray(held) && held.length > 1) held.splice(held.indexOf(id), 1);
        else index.delete(row[field]);
      }
    },
  };
}
