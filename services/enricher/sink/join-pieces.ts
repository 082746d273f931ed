import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes made or copied between two turns of the event loop: a millisecond's work, or two where memory is new. */
const BYTES_A_TURN = 512 * 1024;

/**
 * Joins pieces that are made as they are asked for. The event loop turns between them, and while they are copied.
 * @param allocate makes a buffer of so many bytes; what is in it may be anything
 */
export async function joinPieces(
  made: Iterable<Buffer>,
  allocate: (length: number) => Buffer,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  let sinceTurn = 0;
  for (const piece of made) {
    pieces.push(piece);
    length += piece.length;
    sinceTurn += piece.length;
    if (sinceTurn < BYTES_A_TURN) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  const joined = allocate(length);
  let end = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const room = BYTES_A_TURN - (end % BYTES_A_TURN);
      const copied = piece.copy(joined, end, from, from + room);
      from += copied;
      end += copied;
      if (copied === room) await nextTurn();
    }
  }
  return joined;
}
