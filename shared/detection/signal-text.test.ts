import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signalText } from './signal-text.js';

it('is short, holds nothing that JSON writes as six characters, and is whole where it was', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 2, max: 30 }),
      (text, most) => {
        const held = signalText(text, most);
        expect(held.length).toBeLessThanOrEqual(most);
        expect(held.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1));
        expect(JSON.stringify(held)).not.toContain('\\u00');
        expect(Buffer.from(held).toString()).toBe(held);
      },
    ),
  );
});

it('leaves what people read as it is', () => {
  expect(signalText('/größe?q=漢字 😀', 300)).toBe('/größe?q=漢字 😀');
  expect(signalText('a\u0001b\nc\u007f', 300)).toBe('a\ufffdb\ufffdc\ufffd');
  expect(signalText('ab😀', 3)).toBe('ab');
});
