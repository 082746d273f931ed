import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';

/**
 * Encoders that are used again: one has some 10 MB of arrays, and functions that are compiled anew for each new one. What is kept is as much as the
 * ranges that a process encodes at once, and never more than a few.
 */

/** Rows of the smallest: small ranges share one, which grows no more. */
const LEAST_CAPACITY = 2 ** 16;
/** Larger ranges are rare. Theirs are made for them. */
const MOST_CAPACITY = 2 ** 18;
/** The body of a range has the bytes of its texts once, and of few ranges more than this; their encoders hold as much. */
const MOST_BYTES = 32 * 1024 ** 2;
const MOST_KEPT = 2;

const kept: ReusableEncoder[] = [];

/** @param capacity rows at most. @returns an empty one, nobody else's until it is given back; it need not be. */
export function takeEncoder(capacity: number): ReusableEncoder {
  if (capacity > MOST_CAPACITY) return createRowsEncoder(capacity);
  const at = kept.findIndex((encoder) => encoder.capacity >= capacity);
  if (at >= 0) return kept.splice(at, 1)[0]!;
  return createRowsEncoder(Math.max(LEAST_CAPACITY, capacity));
}

/** @param bytes that its rows took. What it encoded must have been copied. One that can't be used again is let go. */
export function giveEncoderBack(encoder: RowsEncoder | ReusableEncoder, bytes: number): void {
  if (!('clear' in encoder) || encoder.capacity > MOST_CAPACITY) return;
  if (bytes > MOST_BYTES || kept.length === MOST_KEPT) return;
  encoder.clear();
  kept.push(encoder);
}
