import {
  COLUMNS, MOST_LINES, PLACE_BITS, SLOTS, SLOTS_OF_COLUMN, TEXT_BYTES, TEXT_COUNTS, TEXTS, TEXTS_OF_COLUMN,
} from './memory';

/** Gives each text of a column a place, in the order in which they come first. Texts are found by hash, as in shared/requests/columns/byte-dictionary.ts. */

/** Slots that are looked at for one text. */
const MOST_PROBES: i32 = 16;

/** Slots of other scans are free: a slot has the number of its scan above the place of its text. */
let scanNumber: u32 = 0;
const MOST_SCANS: u32 = 1 << (32 - PLACE_BITS);

/** Forgets all texts. */
export function forgetTexts(): void {
  scanNumber++;
  if (scanNumber == MOST_SCANS) {
    memory.fill(SLOTS, 0, COLUMNS * SLOTS_OF_COLUMN * 4);
    scanNumber = 1;
  }
  memory.fill(TEXT_COUNTS, 0, COLUMNS * 4);
}

/** @returns the text's place in the column; -1 where no slot is free for it. */
export function placeText(column: i32, from: i32, to: i32, hash: i32): i32 {
  const slots = SLOTS + column * SLOTS_OF_COLUMN * 4;
  const texts = TEXTS + column * TEXTS_OF_COLUMN;
  let slot = hash & (SLOTS_OF_COLUMN - 1);
  for (let probe = 0; probe < MOST_PROBES; probe++) {
    const taken = load<u32>(slots + slot * 4);
    if (taken >>> PLACE_BITS != scanNumber) {
      const count = TEXT_COUNTS + column * 4;
      const place = load<i32>(count);
      const text = texts + place * TEXT_BYTES;
      store<i32>(text, from);
      store<i32>(text, to, 4);
      store<i32>(text, hash, 8);
      store<i32>(text, 0, 12);
      store<i32>(count, place + 1);
      store<u32>(slots + slot * 4, (scanNumber << PLACE_BITS) | place);
      return place;
    }
    const place: i32 = taken & (MOST_LINES - 1);
    const text = texts + place * TEXT_BYTES;
    if (load<i32>(text, 8) == hash && isEqual(load<i32>(text), load<i32>(text, 4), from, to)) return place;
    slot = (slot + 1) & (SLOTS_OF_COLUMN - 1);
  }
  return -1;
}

@inline
function isEqual(from: i32, to: i32, otherFrom: i32, otherTo: i32): bool {
  if (to - from != otherTo - otherFrom) return false;
  let at = from;
  let other = otherFrom;
  for (; at + 8 <= to; at += 8, other += 8) if (load<i64>(at) != load<i64>(other)) return false;
  for (; at < to; at++, other++) if (load<u8>(at) != load<u8>(other)) return false;
  return true;
}
