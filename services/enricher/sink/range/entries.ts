/** Rows of a range share entries: each row has the number of one, and columns have a value for each entry. */
export interface Entries {
  /** Gives rows of the range a new entry, all the same. */
  fill(from: number, count: number): void;
  /**
   * Gives rows of the range the entries of some rows of a block.
   * @param rows of the block, in rising order
   * @param ids by row of the block, the place of its value, below `count`
   * @returns the places whose values are the new entries, in their order; to be read before the next call of any `take`
   */
  take(from: number, rows: Uint32Array, ids: ArrayLike<number>, count: number): Uint32Array;
  /** What comes from here on can be taken back. */
  mark(): void;
  /** Forgets what came since the mark. */
  undo(): void;
  /** Forgets everything, and keeps its room. */
  clear(): void;
  /** Bytes of arrays that it holds. */
  readonly room: number;
  /** The entry of each of the first rows. */
  firstRows(rows: number): Uint32Array;
}

/** One record may say that it has more values; those it gets for itself. */
const MOST_KEPT = 2 ** 16;
let keptPlaces = new Uint32Array(0);
let keptEntries = new Uint32Array(0);

/** @param capacity most rows; what is added beyond them is lost. */
export function createEntries(capacity: number): Entries {
  const entryOf = new Uint32Array(capacity);
  let size = 0;
  let marked = 0;
  return {
    fill(from, count) {
      entryOf.fill(size, from, from + count);
      size += 1;
    },
    take(from, rows, ids, count) {
      const [places, entries] = scratchOf(count);
      let found = 0;
      for (let at = 0; at < rows.length; at += 1) {
        const place = ids[rows[at]!]!;
        // Only of values that a row has: of the others nothing is to be sent. 0: not met yet.
        if (entries[place] === 0) {
          places[found] = place;
          found += 1;
          entries[place] = size + found;
        }
        entryOf[from + at] = entries[place]! - 1;
      }
      size += found;
      return places.subarray(0, found);
    },
    mark() {
      marked = size;
    },
    undo() {
      size = marked;
    },
    clear() {
      size = 0;
      marked = 0;
    },
    room: entryOf.byteLength,
    firstRows: (rows) => entryOf.subarray(0, rows),
  };
}

/** Two arrays for so many places, the second with zeros. They are used again for each column of each block. */
function scratchOf(count: number): [Uint32Array, Uint32Array] {
  if (count > MOST_KEPT) return [new Uint32Array(count), new Uint32Array(count)];
  if (count > keptEntries.length) {
    const room = Math.min(MOST_KEPT, 2 * count);
    keptPlaces = new Uint32Array(room);
    keptEntries = new Uint32Array(room);
  } else keptEntries.fill(0, 0, count);
  return [keptPlaces, keptEntries];
}
