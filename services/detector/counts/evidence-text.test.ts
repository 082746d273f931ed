import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evidenceText } from './evidence-text.js';

it('is at most as long as allowed, without control characters and halves of surrogate pairs', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 2, max: 30 }),
      (text, most) => {
        const shown = evidenceText(text, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1));
        expect(JSON.stringify(shown)).not.toContain('\\u00');
        expect(Buffer.from(shown).toString()).toBe(shown);
      },
    ),
  );
});

it('leaves readable text unchanged', () => {
  expect(evidenceText('/größe?q=漢字 😀', 300)).toBe('/größe?q=漢字 😀');
  expect(evidenceText('a\u0001b\nc\u007f', 300)).toBe('a\ufffdb\ufffdc\ufffd');
  expect(evidenceText('ab😀', 3)).toBe('ab');
});
