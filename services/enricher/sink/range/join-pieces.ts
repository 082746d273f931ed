import type { GiveTurn } from '../../../../shared/pacing/turns.js';

/** Bytes copied before the event loop may turn: some tenths of a millisecond, or two milliseconds where memory is new. */
const BYTES_AT_ONCE = 512 * 1024;

/**
 * Joins pieces that are made as they are asked for. The event loop may turn between them, and while they are copied.
 * @param allocate makes a buffer of so many bytes; what is in it may be anything
 */
export async function joinPieces(
  made: Iterable<Buffer>,
  allocate: (length: number) => Buffer,
  giveTurn: GiveTurn,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const piece of made) {
    pieces.push(piece);
    length += piece.length;
    await giveTurn();
  }
  const joined = allocate(length);
  let end = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += BYTES_AT_ONCE) {
      end += piece.copy(joined, end, from, from + BYTES_AT_ONCE);
      await giveTurn();
    }
  }
  return joined;
}
