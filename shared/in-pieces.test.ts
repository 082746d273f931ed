import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inPiecesOfLength } from './in-pieces.js';

test('pieces hold all texts in their order, each as many as go in', () => {
  expect(inPiecesOfLength(['aa', 'b', 'cc', 'dddddd', 'e'], 4)).toEqual([
    ['aa', 'b'],
    ['cc'],
    ['dddddd'],
    ['e'],
  ]);
  expect(inPiecesOfLength([], 4)).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 30 }), (texts, characters) => {
      const pieces = inPiecesOfLength(texts, characters);
      expect(pieces.flat()).toEqual(texts);
      for (const piece of pieces)
        expect(piece.length === 1 || piece.join('').length <= characters).toBe(true);
    }),
  );
});
