/**
 * A column of ClickHouse's Native format, filled by blocks of rows. The engine takes it nearly as it is: 2.3 against 8.2 µs a row of `requests` as
 * TabSeparated.
 *
 * Everything that can fail fails when a column is filled and not in `encode`, so that a caller knows which block it was: RangeError where the
 * type can't hold a value (written, it would come back as another one), TypeError where it is no text.
 */
export interface Column<Value> {
  /** Rows that follow each other get one value. */
  fill(from: number, count: number, value: Value): void;
  /** Rows that follow each other get the values of some rows of a block. */
  gather(from: number, gather: Gather<Value>): void;
  /** Forgets what only rows from this one on have. */
  truncate(rows: number): void;
  encode(rows: number): Encoded;
}

/** Where the values of a block stand. */
export interface Gather<Value> {
  /** Of the block, in the order in which they are taken. */
  readonly rows: Uint32Array;
  /** By row of the block, the place of its value, below `count`; null: at the row's own. */
  readonly ids: ArrayLike<number> | null;
  readonly count: number;
  valueAt(place: number): Value;
}

/** The bytes of a column. */
export interface Encoded {
  /** The engine's name of the type. */
  readonly type: string;
  readonly parts: readonly Buffer[];
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);
