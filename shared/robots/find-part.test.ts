import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindPart } from './find-part.js';

test('finds the same position as a plain search', () => {
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

// Percent-encoding makes a line of robots.txt up to nine times as long.
test('a part of any length is found', () => {
  const unit = '%E3%83%84';
  const part = `${unit.repeat(16_000)}x`;
  // A partial match that fails near its end: the search continues from the longest border.
  const text = `/${unit.repeat(5)}${part}`;
  expect(createFindPart(part)(text, 0)).toBe(text.indexOf(part));
});
