import { viewOf } from './hash-bytes.js';

/** Texts as concatenated UTF-8 bytes. */
export interface TextStore {
  /** Number of kept texts. */
  readonly size: number;
  /** Writes a text after the kept ones, without keeping it. @returns its end */
  write(text: string): number;
  /** As {@link write}, for bytes between two indexes of `view`. */
  copy(view: DataView, from: number, to: number): number;
  /** Keeps the text written up to `end`. @returns its place. @throws RangeError if the store is full */
  keep(end: number): number;
  startOf(place: number): number;
  endOf(place: number): number;
  /** Whether the text at a place has these bytes. */
  isAt(place: number, view: DataView, from: number, to: number): boolean;
  /** The bytes to which {@link startOf} and {@link endOf} refer; valid until the next text. */
  view(): DataView;
  bytes(): Buffer;
  lengths(): Uint32Array;
  clear(): void;
}

const FIRST_BYTES = 8 * 1024;
/** Larger buffers are released before the next block. */
const MOST_KEPT_BYTES = 256 * 1024;
/** Up to this length, texts are written by a loop, which is faster than a native call. */
const SHORT = 48;

/** @param capacity largest number of texts */
export function createTextStore(capacity: number): TextStore {
  const ends = new Int32Array(capacity);
  let held = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let heldView = viewOf(held);
  let used = 0;
  let size = 0;

  const startOf = (place: number) => (place === 0 ? 0 : ends[place - 1]!);

  function reserve(bytes: number): void {
    if (used + bytes <= held.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * held.length, used + bytes));
    held.copy(grown, 0, 0, used);
    held = grown;
    heldView = viewOf(held);
  }

  return {
    get size() {
      return size;
    },
    write(text) {
      reserve(3 * text.length);
      return used + (text.length <= SHORT ? writeShort(text, held, used) : held.write(text, used));
    },
    copy(view, from, to) {
      reserve(to - from);
      const kept = heldView;
      let at = from;
      let into = used;
      for (; at + 4 <= to; at += 4, into += 4) kept.setInt32(into, view.getInt32(at, true), true);
      for (; at < to; at += 1, into += 1) kept.setUint8(into, view.getUint8(at));
      return used + to - from;
    },
    keep(end) {
      if (size === capacity) throw new RangeError(`more than ${capacity} texts`);
      used = end;
      ends[size] = end;
      size += 1;
      return size - 1;
    },
    startOf,
    endOf: (place) => ends[place]!,
    isAt(place, view, from, to) {
      const start = place === 0 ? 0 : ends[place - 1]!;
      return ends[place]! - start === to - from && areEqual(view, from, to, heldView, start);
    },
    view: () => heldView,
    bytes: () => held.subarray(0, used),
    lengths() {
      const lengths = new Uint32Array(size);
      for (let place = 0; place < size; place += 1) lengths[place] = ends[place]! - startOf(place);
      return lengths;
    },
    clear() {
      if (held.length > MOST_KEPT_BYTES) held = Buffer.allocUnsafeSlow(FIRST_BYTES);
      heldView = viewOf(held);
      used = 0;
      size = 0;
    },
  };
}

function areEqual(view: DataView, from: number, to: number, other: DataView, otherFrom: number): boolean {
  let at = from;
  let otherAt = otherFrom;
  for (; at + 4 <= to; at += 4, otherAt += 4)
    if (view.getInt32(at, true) !== other.getInt32(otherAt, true)) return false;
  if (at === to) return true;
  // Compares the text's last word: fewer branches than byte by byte.
  if (to - from >= 4) return view.getInt32(to - 4, true) === other.getInt32(otherAt + to - at - 4, true);
  for (; at < to; at += 1, otherAt += 1) if (view.getUint8(at) !== other.getUint8(otherAt)) return false;
  return true;
}

const FIRST_NOT_ASCII = 128;

function writeShort(text: string, into: Buffer, at: number): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= FIRST_NOT_ASCII) return into.write(text, at);
    into[at + index] = code;
  }
  return text.length;
}
