import { totalmem } from 'node:os';

const SHARE = 1 / 16;
/** A small machine keeps the rows of some polled websites, too. */
const LEAST_BYTES = 128 * 1024 ** 2;
/** The garbage collector visits the dictionaries of all rows, so more memory costs CPU. */
const MOST_BYTES = 1024 ** 3;

/**
 * Memory for kept rows if the operator sets none.
 * @param memoryBytes memory of this machine or container
 */
export function keptHoursShare(memoryBytes: number): number {
  return Math.floor(Math.min(Math.max(memoryBytes * SHARE, LEAST_BYTES), MOST_BYTES));
}

/** Memory that this process can use at most, in bytes. */
export function memoryOfContainer(): number {
  // Undefined or 0: unknown. Without a limit, the system may answer a very large number.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
}
