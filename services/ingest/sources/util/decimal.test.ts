import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { parseDecimal } from './decimal.js';

const texts = fc.oneof(
  fc.stringMatching(/^\d{1,20}$/),
  fc.stringMatching(/^\d{1,12}\.\d{1,12}$/),
  fc.stringMatching(/^[0-9.+e-]{0,6}$/),
  fc.double({ noNaN: true }).map(String),
  fc.string(),
);

it('reads digits with or without a fraction as Number does, and nothing else', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const expected = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
      expect(parseDecimal(text)).toBe(expected);
    }),
    { numRuns: runs(3_000) },
  );
});
