import { hashBytes } from './hash-bytes.js';
import type { Spans } from './spans.js';
import { createTextStore } from './text-store.js';

/**
 * Distinct texts of one column of a block, as UTF-8 bytes in the order of first occurrence. A text is found by its
 * bytes, so a repeated text is never converted to a string.
 */
export interface ByteDictionary {
  /** Number of texts. */
  readonly size: number;
  /**
   * Writes the place of each row's text into `ids`; adds missing texts.
   * @param spans texts in `view`
   * @param isRight returns false to refuse a new text
   * @returns rows with a place: those before the first refused text
   */
  placeRows(
    view: DataView,
    spans: Spans,
    rows: number,
    ids: Uint32Array,
    isRight?: (text: string) => boolean,
  ): number;
  /** The place of a text that was not yet added as a string. Adds the text if it was not added as bytes either. */
  placeOfText(text: string): number;
  /** All texts, concatenated: a view, valid until the next change. */
  bytes(): Buffer;
  /** Byte length of each text. */
  lengths(): Uint32Array;
  clear(): void;
}

/** Slots probed for one text. If all are taken the text is put in a map, so that time stays linear for any texts. */
const MOST_PROBES = 16;

/** @param capacity largest number of texts */
export function createByteDictionary(capacity: number): ByteDictionary {
  const store = createTextStore(capacity);
  const mask = 2 ** Math.ceil(Math.log2(2 * Math.max(1, capacity))) - 1;
  /** By hash, a text's place plus 1; 0: a free slot. */
  const slots = new Int32Array(mask + 1);
  const hashes = new Int32Array(capacity);
  /** Texts without a free slot, by their bytes as Latin-1 characters. */
  const beyond = new Map<string, number>();
  /** Number of indexed texts. Texts added as strings are hashed at the first look-up by bytes. */
  let indexed = 0;

  function index(place: number, hash: number): void {
    let slot = hash & mask;
    let probe = 0;
    for (; probe < MOST_PROBES && slots[slot] !== 0; probe += 1) slot = (slot + 1) & mask;
    if (probe < MOST_PROBES) slots[slot] = place + 1;
    else beyond.set(charactersOf(store.view(), store.startOf(place), store.endOf(place)), place);
    hashes[place] = hash;
    indexed = place + 1;
  }

  /** @returns -1 if it is missing. */
  function find(view: DataView, from: number, to: number, hash: number): number {
    for (let place = indexed; place < store.size; place += 1)
      index(place, hashBytes(store.view(), store.startOf(place), store.endOf(place)));
    for (let probe = 0, slot = hash & mask; probe < MOST_PROBES; probe += 1, slot = (slot + 1) & mask) {
      const place = slots[slot]! - 1;
      if (place < 0) return -1;
      if (hashes[place] === hash && store.isAt(place, view, from, to)) return place;
    }
    return beyond.size === 0 ? -1 : (beyond.get(charactersOf(view, from, to)) ?? -1);
  }

  function add(end: number, hash: number): number {
    const place = store.keep(end);
    index(place, hash);
    return place;
  }

  return {
    get size() {
      return store.size;
    },
    placeRows(view, spans, rows, ids, isRight) {
      let place = -1;
      for (let row = 0, span = 0; row < rows; row += 1, span += 3) {
        const from = spans[span]!;
        const to = spans[span + 1]!;
        // Adjacent texts are often equal, and comparing costs less than hashing.
        if (place === -1 || !store.isAt(place, view, from, to)) {
          const hash = spans[span + 2]! || hashBytes(view, from, to);
          place = find(view, from, to, hash);
          if (place === -1) {
            if (isRight !== undefined && !isRight(charactersOf(view, from, to))) return row;
            place = add(store.copy(view, from, to), hash);
          }
        }
        ids[row] = place;
      }
      return rows;
    },
    placeOfText(text) {
      const end = store.write(text);
      // While no bytes were added, nothing is hashed.
      if (indexed === 0) return store.keep(end);
      const from = store.size === 0 ? 0 : store.endOf(store.size - 1);
      const hash = hashBytes(store.view(), from, end);
      const found = find(store.view(), from, end, hash);
      return found === -1 ? add(end, hash) : found;
    },
    bytes: store.bytes,
    lengths: store.lengths,
    clear() {
      if (indexed > 0) slots.fill(0);
      beyond.clear();
      store.clear();
      indexed = 0;
    },
  };
}

const charactersOf = (view: DataView, from: number, to: number): string =>
  Buffer.from(view.buffer, view.byteOffset + from, to - from).toString('latin1');
