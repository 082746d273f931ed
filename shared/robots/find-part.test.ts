import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindPart } from './find-part.js';

test('finds what a plain search finds', () => {
  const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 200 }).map((letters) => letters.join(''));
  const part = fc
    .array(fc.constantFrom('a', 'b'), { minLength: 17, maxLength: 40 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, part, text, fc.nat(50), (before, wanted, behind, from) => {
      const whole = `${before}${wanted}${behind}`;
      expect(createFindPart(wanted)(whole, from)).toBe(whole.indexOf(wanted, from));
    }),
  );
});

// Percent-encoding makes a line of robots.txt up to nine times as long as it was written.
test('a part of any length is found', () => {
  const unit = '%E3%83%84';
  const part = `${unit.repeat(16_000)}x`;
  // What matches at first and not to its end: the search goes on from the longest beginning that stands there again.
  const text = `/${unit.repeat(5)}${part}`;
  expect(createFindPart(part)(text, 0)).toBe(text.indexOf(part));
});
