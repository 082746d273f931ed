import { MOST_BLOCK_REQUESTS } from '../../../../shared/requests/raw-request.js';
import { createRowsEncoder, type ReusableEncoder, type RowsEncoder } from './encode-rows.js';
import { LEAST_RANGE_WEIGHT } from './plan-range.js';
import { createPool } from './pool.js';

/**
 * Reuses encoders: each has about 10 MB of arrays, and functions that are compiled again for each new one.
 */

/** Least rows of a kept encoder: a full range, and its last record. */
const LEAST_CAPACITY = 60_000 + MOST_BLOCK_REQUESTS;
/** Most rows of a kept encoder. Larger ranges are rare, and their encoders are not kept. */
const MOST_CAPACITY = 2 ** 18;
/** Most bytes of a kept encoder. Its buffers never shrink, so an encoder with long texts is not kept. */
const MOST_ROOM_BYTES = 32 * 1024 ** 2;
/**
 * A partition prepares one range at a time. With more than two partitions with large ranges, some encoders
 * are new.
 */
const MOST_KEPT = 2;

const pool = createPool<ReusableEncoder>(MOST_KEPT, ({ capacity }) => capacity);

/**
 * @param capacity most rows that are added
 * @returns an empty encoder of at least this capacity, for exclusive use until it is given back, which is
 * optional
 */
export function takeEncoder(capacity: number): ReusableEncoder {
  // A short range gets a new encoder of its size: those of many partitions may be encoded at once, and 10 MB
  // for each are too much.
  if (capacity < LEAST_RANGE_WEIGHT || capacity > MOST_CAPACITY) return createRowsEncoder(capacity);
  return pool.take(capacity, () => createRowsEncoder(Math.max(LEAST_CAPACITY, capacity)));
}

/**
 * The encoded bytes must have been copied.
 * @param encoder not kept if it has another size or too large buffers
 */
export function giveEncoderBack(encoder: RowsEncoder): void {
  pool.giveBack(encoder as ReusableEncoder, (own) => {
    if (own.room > MOST_ROOM_BYTES) return false;
    own.clear();
    return true;
  });
}
