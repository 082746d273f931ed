import { MOST_BLOCK_REQUESTS } from '../../../../shared/requests/raw-request.js';
import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';
import { LEAST_RANGE_ROWS } from './plan-range.js';
import { createPool } from './pool.js';

/**
 * Encoders that are used again: one has some 10 MB of arrays, and functions that are compiled anew for each new one.
 */

/** Rows of the smallest that is kept: a full range, and the record that takes it over that. */
const LEAST_CAPACITY = 60_000 + MOST_BLOCK_REQUESTS;
/** Rows of the largest that is kept. Larger ranges are rare: each gets an encoder of its own, which is let go. */
const MOST_CAPACITY = 2 ** 18;
/** Of an encoder that is kept. Its buffers stay as large as they grew; those of one with long texts are let go with it. */
const MOST_ROOM_BYTES = 32 * 1024 ** 2;
/** A partition prepares one range at a time. With more than two partitions that have large ranges some encoders are new. */
const MOST_KEPT = 2;

const pool = createPool<ReusableEncoder>(MOST_KEPT, ({ capacity }) => capacity);

/** @param capacity most rows that are added. @returns an empty encoder of this capacity or more, for the caller alone until it is given back; the caller may keep it. */
export function takeEncoder(capacity: number): ReusableEncoder {
  // A short range gets an encoder of its size, which is let go: those of many partitions may be encoded at once, and 10 MB for each are too much.
  if (capacity < LEAST_RANGE_ROWS || capacity > MOST_CAPACITY) return createRowsEncoder(capacity);
  return pool.take(capacity, () => createRowsEncoder(Math.max(LEAST_CAPACITY, capacity)));
}

/** What it encoded must have been copied. @param encoder one that is not of the kept size, or holds too much, is let go */
export function giveEncoderBack(encoder: RowsEncoder): void {
  pool.giveBack(encoder as ReusableEncoder, (own) => {
    if (own.room > MOST_ROOM_BYTES) return false;
    own.clear();
    return true;
  });
}
