/**
 * Memory for the bodies of full ranges, used again. A new 12 MB for each range cost a tenth of what the process does for a line: the garbage
 * collector marks the whole heap each time that some 64 MiB of buffers are new.
 */

/** A shorter body gets memory of its own, which is let go. */
const LEAST_BYTES = 4 * 1024 ** 2;
/** So does a longer one: these are rare. */
const MOST_BYTES = 32 * 1024 ** 2;
/** Bodies differ by some percent: one that is a little longer is to fit, too. */
const STEP_BYTES = 2 * 1024 ** 2;
/** A process inserts two ranges at a time (open-sink.ts). */
const MOST_KEPT = 2;

/** The smallest first. */
const kept: Buffer[] = [];
/** Memory that somebody has. */
const taken = new WeakSet<ArrayBufferLike>();

/** @returns so many bytes, which hold anything, for the caller alone until they are given back; the caller may keep them. */
export function takeBody(length: number): Buffer {
  if (length < LEAST_BYTES || length > MOST_BYTES) return Buffer.allocUnsafeSlow(length);
  const at = kept.findIndex((body) => body.length >= length);
  const body =
    at >= 0 ? kept.splice(at, 1)[0]! : Buffer.allocUnsafeSlow(STEP_BYTES * Math.ceil(length / STEP_BYTES));
  taken.add(body.buffer);
  return body.subarray(0, length);
}

/** Nobody may read it any more, no request under way either. @param body one that is not of the kept size is let go */
export function giveBodyBack(body: Buffer): void {
  if (!taken.delete(body.buffer)) return;
  kept.push(Buffer.from(body.buffer));
  kept.sort((a, b) => a.length - b.length);
  if (kept.length > MOST_KEPT) kept.shift();
}
