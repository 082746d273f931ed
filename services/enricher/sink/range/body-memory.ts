import { createPool } from './pool.js';

/**
 * Memory for the bodies of full ranges, used again: V8 marks its whole heap each time that 64 MiB of buffers are new, and each body is
 * 9 MB. A body is its range's alone until its rows are stored (range-steps/insert-range.ts). Up to 64 MiB are kept.
 */

/** As much as 30,000 rows have. A shorter body gets memory of its own, which is let go. */
const LEAST_BYTES = 4 * 1024 ** 2;
/** Ranges are bounded by bytes (ENRICHER_BATCH_BYTES). A longer body is rare, and gets memory of its own too. */
const MOST_BYTES = 32 * 1024 ** 2;
/** Bodies of full ranges differ by some percent. Sizes are multiples of this, so that the memory of one fits most others. */
const STEP_BYTES = 2 * 1024 ** 2;
/** A partition's next range waits encoded while one is inserted. With more partitions some bodies are new. */
const MOST_KEPT = 2;

const pool = createPool<ArrayBufferLike>(MOST_KEPT, ({ byteLength }) => byteLength);

/** @returns so many bytes, which may hold rows of another range, for the caller alone until they are given back; the caller may keep them. */
export function takeBodyMemory(length: number): Buffer {
  if (length < LEAST_BYTES || length > MOST_BYTES) return Buffer.allocUnsafeSlow(length);
  const memory = pool.take(
    length,
    () => Buffer.allocUnsafeSlow(STEP_BYTES * Math.ceil(length / STEP_BYTES)).buffer,
  );
  return Buffer.from(memory, 0, length);
}

/** Nobody may read it any more, no request under way either. @param body any; memory that was not taken here, or was given back, is left alone */
export function giveBodyMemoryBack(body: Buffer): void {
  pool.giveBack(body.buffer, () => true);
}
