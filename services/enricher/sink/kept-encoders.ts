import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';

/**
 * Encoders that are used again: one has some 10 MB of arrays, and functions that are compiled anew for each new one.
 */

/** Rows of the smallest: every usual range fits into any that is kept. */
const LEAST_CAPACITY = 2 ** 16;
/** Rows of the largest that is kept. Larger ranges are rare: each gets an encoder of its own, which is let go. */
const MOST_CAPACITY = 2 ** 18;
/**
 * Bytes of the largest body whose encoder is kept: few ranges have more, and the encoder's buffers stay as large as they grew. The body does not tell
 * what a block took that was truncated.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/** A process inserts two ranges at a time (open-sink.ts). */
const MOST_KEPT = 2;

const kept: ReusableEncoder[] = [];

/** @param capacity most rows that are added. @returns an empty encoder of this capacity or more, for the caller alone until it is given back; the caller may keep it. */
export function takeEncoder(capacity: number): ReusableEncoder {
  if (capacity > MOST_CAPACITY) return createRowsEncoder(capacity);
  const at = kept.findIndex((encoder) => encoder.capacity >= capacity);
  if (at >= 0) return kept.splice(at, 1)[0]!;
  return createRowsEncoder(Math.max(LEAST_CAPACITY, capacity));
}

/**
 * At most once for each that was taken: given back twice, it would be handed to two ranges. What it encoded must have been copied.
 * @param encoder where it can't be used again, or is too large, it is let go
 * @param bytes of the body that it encoded
 */
export function giveEncoderBack(encoder: RowsEncoder | ReusableEncoder, bytes: number): void {
  if (!('clear' in encoder) || encoder.capacity > MOST_CAPACITY) return;
  if (bytes > MOST_BYTES || kept.length === MOST_KEPT) return;
  encoder.clear();
  kept.push(encoder);
}
