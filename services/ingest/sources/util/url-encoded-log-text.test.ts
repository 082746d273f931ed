import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeLogText, decodeLogUrl } from './url-encoded-log-text.js';

it.each([
  ['Mozilla%2F5.0+%28X11%3B+Linux%29', 'Mozilla/5.0 (X11; Linux)'],
  ['Mozilla/5.0%20(X11;%20Linux)', 'Mozilla/5.0 (X11; Linux)'],
  ['SampleBot/1.0%20(+http://www.example.com/bot)', 'SampleBot/1.0 (+http://www.example.com/bot)'],
  ['SampleBot/1.0 (+http://www.example.com/100%25)', 'SampleBot/1.0 (+http://www.example.com/100%25)'],
  ['caf%C3%A9/1', 'café/1'],
  ['100%', '100%'],
  ['%zz%4', '%zz%4'],
])('reads the text %s', (written, read) => {
  expect(decodeLogText(written)).toBe(read);
});

it.each([
  ['https%3A%2F%2Fwww.example.org%2Fa%3Fq%3Dred%2Bshoes', 'https://www.example.org/a?q=red+shoes'],
  ['https%3A%2F%2Fwww.example.org%2F%25C3%25A9', 'https://www.example.org/%C3%A9'],
  ['https://www.example.org/a?q=red+shoes%20', 'https://www.example.org/a?q=red+shoes%20'],
])('reads the URL %s', (written, read) => {
  expect(decodeLogUrl(written)).toBe(read);
});

it('decodes every form-encoded text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = new URLSearchParams({ a: text }).toString().slice(2);
      expect(decodeLogText(encoded)).toBe(Buffer.from(text).toString());
    }),
  );
});
