/**
 * Entries shared by rows of a range: each row has the index of an entry, and columns have a value for each
 * entry.
 */
export interface Entries {
  /** Gives rows of the range one new shared entry. */
  fill(from: number, count: number): void;
  /**
   * Gives rows of the range the entries of rows of a block.
   * @param rows of the block, in rising order
   * @param ids for each row of the block the index of its value, below `count`
   * @returns the indexes of the values of the new entries, in order; valid until the next call of any `take`
   */
  take(from: number, rows: Uint32Array, ids: ArrayLike<number>, count: number): Uint32Array;
  /** Later additions can be undone. */
  mark(): void;
  /** Removes the additions since the mark. */
  undo(): void;
  /** Removes everything, and keeps the capacity. */
  clear(): void;
  /** Bytes of its arrays. */
  readonly room: number;
  /** The entry of each of the first rows. */
  firstRows(rows: number): Uint32Array;
}

/** Values up to which the arrays are reused. A record may announce more, and then gets new arrays. */
const MOST_KEPT = 2 ** 16;
let keptPlaces = new Uint32Array(0);
let keptEntries = new Uint32Array(0);

/** @param capacity most rows; rows beyond it are lost */
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
        // Only values that a row uses become entries. 0: not seen yet.
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

/** Two arrays of this length, the second filled with zeros. They are reused for each column of each block. */
function scratchOf(count: number): [Uint32Array, Uint32Array] {
  if (count > MOST_KEPT) return [new Uint32Array(count), new Uint32Array(count)];
  if (count > keptEntries.length) {
    const room = Math.min(MOST_KEPT, 2 * count);
    keptPlaces = new Uint32Array(room);
    keptEntries = new Uint32Array(room);
  } else keptEntries.fill(0, 0, count);
  return [keptPlaces, keptEntries];
}
