import { expect, test } from 'vitest';
import { joinPieces } from './join-pieces.js';

const LARGE = 700_000;

test('joins pieces of any length into memory with other bytes', async () => {
  const pieces = [3, LARGE, 0, 1, 2 * LARGE, 512 * 1024, 5].map((length, piece) =>
    Buffer.from(Array.from({ length }, (_, at) => (31 * piece + at * at) % 251)),
  );
  const asked: number[] = [];
  const allocate = (length: number) => {
    asked.push(length);
    return Buffer.alloc(length, 255);
  };
  let chances = 0;
  const joined = await joinPieces(pieces, allocate, async () => {
    chances += 1;
  });
  // After each piece, and while long pieces are copied.
  expect(chances).toBeGreaterThanOrEqual(2 * pieces.length);
  expect(asked).toEqual([pieces.reduce((sum, { length }) => sum + length, 0)]);
  expect(joined.equals(Buffer.concat(pieces))).toBe(true);
});
