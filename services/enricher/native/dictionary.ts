import { createNumberList } from './number-list.js';
import { createTextBuffer } from './text-buffer.js';

/** Texts in the order in which they came, as bytes: texts themselves would hold the whole records that they were cut from. */
export interface Dictionary {
  readonly size: number;
  /** Bytes that it holds, of texts forgotten too. */
  readonly room: number;
  /** @returns its place. @throws TypeError for what is no text. */
  add(value: string): number;
  /** Forgets all behind the first `size`. */
  truncate(size: number): void;
  bytes(): Buffer;
  /** The bytes of the texts at the places of some codes, one behind the other, in pieces. */
  inRows(codes: Uint32Array): Iterable<Buffer>;
}

/** A text may be longer: then it is a piece of its own. */
const PIECE_BYTES = 1024 * 1024;
/** Shorter ones are copied byte by byte: a call costs more. */
const SHORT_BYTES = 64;

export function createDictionary(): Dictionary {
  const texts = createTextBuffer();
  /** Where each text ends, behind the 0 where the first one begins. Whole numbers beyond 32 bits are none: a buffer has at most 4 GiB. */
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
        throw new TypeError(`a text is wanted, not a value of type ${typeof value}`);
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

/** Of the rows from this one on, as many as make a piece. */
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
    // Texts that follow each other in the dictionary are copied together.
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
