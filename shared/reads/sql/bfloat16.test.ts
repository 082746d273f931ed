import fc from 'fast-check';
import { expect, test } from 'vitest';
import { middleOfBFloat16 } from './bfloat16.js';

/** The engine's conversion to a 16-bit float: the upper half of a 32-bit one. */
function cutToBFloat16(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0]!;
  return new Float32Array(Uint32Array.of(bits & 0xffff_0000).buffer)[0]!;
}

test('a time has an error of at most 1/256, and is exact below 256 ms', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 2 ** 24 })), (time) => {
      const middle = middleOfBFloat16(cutToBFloat16(time));
      expect(Math.abs(middle - time)).toBeLessThanOrEqual(time < 256 ? 0 : time / 256);
    }),
  );
});
