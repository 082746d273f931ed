import type { GiveTurn } from '../../../../shared/pacing/turns.js';

/**
 * Bytes copied between turns of the event loop: some tenths of a millisecond, or two milliseconds in new
 * memory.
 */
const BYTES_AT_ONCE = 512 * 1024;

/**
 * Joins pieces that are created on demand. It yields to the event loop between them, and during copies.
 * @param allocate returns a buffer of this length with undefined content
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
