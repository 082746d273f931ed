import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';

/**
 * Encoders that are used again: one has some 10 MB of arrays, and functions that are compiled anew for each new one.
 */

/** Rows of the smallest: every usual range fits into any that is kept. */
const LEAST_CAPACITY = 2 ** 16;
/** Rows of the largest that is kept. Larger ranges are rare: each gets an encoder of its own, which is let go. */
const MOST_CAPACITY = 2 ** 18;
/** Of an encoder that is kept. Its buffers stay as large as they grew; those of one with long texts are let go with it. */
const MOST_ROOM_BYTES = 32 * 1024 ** 2;
/** A process inserts two ranges at a time (open-sink.ts). */
const MOST_KEPT = 2;

/** The smallest first. */
const kept: ReusableEncoder[] = [];
/** Those that somebody has. */
const taken = new WeakSet<RowsEncoder>();

/** @param capacity most rows that are added. @returns an empty encoder of this capacity or more, for the caller alone until it is given back; the caller may keep it. */
export function takeEncoder(capacity: number): ReusableEncoder {
  const at = kept.findIndex((encoder) => encoder.capacity >= capacity);
  const encoder = at >= 0 ? kept.splice(at, 1)[0]! : createRowsEncoder(Math.max(LEAST_CAPACITY, capacity));
  taken.add(encoder);
  return encoder;
}

/** What it encoded must have been copied. @param encoder one that was not taken here, is too large or holds too much is let go */
export function giveEncoderBack(encoder: RowsEncoder): void {
  if (!taken.delete(encoder)) return;
  const own = encoder as ReusableEncoder;
  if (own.capacity > MOST_CAPACITY || own.room > MOST_ROOM_BYTES) return;
  own.clear();
  kept.push(own);
  kept.sort((a, b) => a.capacity - b.capacity);
  if (kept.length > MOST_KEPT) kept.shift();
}
