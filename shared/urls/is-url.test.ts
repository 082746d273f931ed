import { expect, test } from 'vitest';
import { isUrl } from './is-url.js';

test.each([
  ['https://example.com/a', undefined, true],
  ['/a', 'https://example.com', true],
  ['/a', undefined, false],
  ['http://ã\u0080\u0082/', 'https://example.com', false],
])('%j relative to %j: %s', (text, base, expected) => expect(isUrl(text, base)).toBe(expected));

test('the result stays the same once the function is compiled', () => {
  const text = Buffer.from('http://127。0。0。1/').toString('latin1');
  const answers = new Set<boolean>();
  for (let call = 0; call < 50_000; call += 1) {
    isUrl(`http://a.example/${call & 7}`, 'http://x.example/');
    answers.add(isUrl(text, 'http://x.example/'));
  }
  expect([...answers]).toEqual([false]);
});
