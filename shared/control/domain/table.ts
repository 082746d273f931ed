/**
 * Rows by id, with further look-ups by fields that never change. Written for the fold: a row put twice
 * replaces the first, and an index entry with one row costs no list of its own.
 */

interface Identified {
  readonly id: string;
}

/** What readers see. */
export interface TableView<Row extends Identified, Indexed extends keyof Row = never> {
  readonly size: number;
  get(id: string): Row | undefined;
  /** In order of first appearance. */
  values(): IterableIterator<Row>;
  /** Rows whose field has this value, in order of first appearance. */
  by(field: Indexed, value: Row[Indexed]): readonly Row[];
  /** Rows that the table was made to find among many others, in no order; none where it was made to find none. */
  marked(): readonly Row[];
}

export interface Table<Row extends Identified, Indexed extends keyof Row = never>
  extends TableView<Row, Indexed> {
  /** Adds the row, or replaces the one of the same id. Indexed fields must stay as they were. */
  put(row: Row): void;
  /** Takes the row away; nothing where there is none. Put again, it stands at the end. */
  remove(id: string): void;
}

export function createTable<Row extends Identified, Indexed extends keyof Row = never>(
  indexed: readonly Indexed[],
  /** Of `marked`; it may change with the row. */
  isMarked: (row: Row) => boolean = () => false,
  /** An equal row that takes less memory. */
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
