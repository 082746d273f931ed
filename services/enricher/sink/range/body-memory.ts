import { createPool } from './pool.js';

/**
 * Reuses memory for the bodies of full ranges: V8 marks its whole heap after every 64 MiB of new buffers, and
 * each body has 9 MB. A body belongs to its range until the rows are stored (range-steps/insert-range.ts). Up
 * to 64 MiB are kept.
 */

/** The size of 30,000 rows. A shorter body gets memory that is not reused. */
const LEAST_BYTES = 4 * 1024 ** 2;
/**
 * Ranges are bounded by bytes (ENRICHER_BATCH_BYTES). A longer body is rare, and its memory is not reused
 * either.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/**
 * Bodies of full ranges differ by some percent. Sizes are multiples of this, so that memory fits most other
 * bodies.
 */
const STEP_BYTES = 2 * 1024 ** 2;
/** A partition's next range waits encoded during an insert. With more partitions some bodies are new. */
const MOST_KEPT = 2;

const pool = createPool<ArrayBufferLike>(MOST_KEPT, ({ byteLength }) => byteLength);

/**
 * @returns this many bytes, with undefined content, for exclusive use until they are given back. Giving them
 * back is optional.
 */
export function takeBodyMemory(length: number): Buffer {
  if (length < LEAST_BYTES || length > MOST_BYTES) return Buffer.allocUnsafeSlow(length);
  const memory = pool.take(
    length,
    () => Buffer.allocUnsafeSlow(STEP_BYTES * Math.ceil(length / STEP_BYTES)).buffer,
  );
  return Buffer.from(memory, 0, length);
}

/**
 * Ends all use of the memory, including requests that are still running.
 * @param body memory that was not taken here, or was given back before, is ignored
 */
export function giveBodyMemoryBack(body: Buffer): void {
  pool.giveBack(body.buffer, () => true);
}
