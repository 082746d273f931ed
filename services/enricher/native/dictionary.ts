import { createNumberList } from './number-list.js';
import { createTextBuffer } from './text-buffer.js';

/**
 * Texts as bytes, in the order of addition. Strings would keep the whole records in memory that they were cut
 * from.
 */
export interface Dictionary {
  readonly size: number;
  /** Bytes of its buffers, including capacity for removed texts. */
  readonly room: number;
  /**
   * @returns its index
   * @throws TypeError if the value is not text
   */
  add(value: string): number;
  /** Removes all after the first `size`. */
  truncate(size: number): void;
  bytes(): Buffer;
  /** The concatenated bytes of the texts with these codes, in pieces. */
  inRows(codes: Uint32Array): Iterable<Buffer>;
}

/** A longer text is a separate piece. */
const PIECE_BYTES = 1024 * 1024;
/** Shorter texts are copied byte by byte, which is faster than a call. */
const SHORT_BYTES = 64;

export function createDictionary(): Dictionary {
  const texts = createTextBuffer();
  /**
   * The end of each text, after a 0 for the start of the first one. 32 bits suffice: a buffer has at most 4
   * GiB.
   */
  const ends = createNumberList(Uint32Array);
  ends.push(0);

  return {
    get size() {
      return ends.size - 1;
    },
    get room() {
      return texts.room + ends.room;
    },
    add(value) {
      if (typeof value !== 'string')
        throw new TypeError(`expected a text, not a value of type ${typeof value}`);
      texts.add(value);
      ends.push(texts.length);
      return ends.size - 2;
    },
    truncate(remaining) {
      ends.truncate(remaining + 1);
      texts.truncate(ends.values[ends.size - 1]!);
    },
    bytes: () => texts.bytes(),
    *inRows(codes) {
      const bytes = texts.bytes();
      const { values } = ends;
      for (let row = 0; row < codes.length; ) {
        const { end, length } = pieceFrom(values, codes, row);
        yield copyTexts(bytes, values, codes.subarray(row, end), length);
        row = end;
      }
    },
  };
}

/** The rows from `row` on that form a piece. */
function pieceFrom(ends: Uint32Array, codes: Uint32Array, row: number) {
  let end = row;
  let length = 0;
  while (end < codes.length && (end === row || length < PIECE_BYTES)) {
    length += ends[codes[end]! + 1]! - ends[codes[end]!]!;
    end += 1;
  }
  return { end, length };
}

function copyTexts(from: Buffer, ends: Uint32Array, codes: Uint32Array, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  let at = 0;
  for (let row = 0; row < codes.length; ) {
    const first = codes[row]!;
    // Consecutive texts of the dictionary are copied together.
    let next = first + 1;
    for (row += 1; row < codes.length && codes[row] === next; row += 1) next += 1;
    const start = ends[first]!;
    const end = ends[next]!;
    if (end - start > SHORT_BYTES) {
      copy.set(from.subarray(start, end), at);
      at += end - start;
    } else for (let byte = start; byte < end; byte += 1) copy[at++] = from[byte]!;
  }
  return copy;
}
