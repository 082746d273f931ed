import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitPathAndQuery } from './split-path-and-query.js';

test.each([
  ['/', '/', ''],
  ['/a/b?x=1&y=2', '/a/b', 'x=1&y=2'],
  ['/a?', '/a', ''],
  ['/a?b?c=/d', '/a', 'b?c=/d'],
  ['/a%20b/%C3%A9?q=%26', '/a%20b/%C3%A9', 'q=%26'],
  ['/a#top', '/a', ''],
  ['/a?x=1#top?y', '/a', 'x=1'],
  ['/a#f?x=1', '/a', ''],
  ['//evil.example/a', '//evil.example/a', ''],
  ['http://example.com/a?b=c', '/a', 'b=c'],
  ['https://example.com', '/', ''],
  ['HTTPS://example.com?x=1', '/', 'x=1'],
  ['', '', ''],
  ['#top', '/', ''],
  ['*', '*', ''],
  ['?x=1', '/', 'x=1'],
  ['example.com:443', 'example.com:443', ''],
])('splits %j', (target, path, query) => {
  expect(splitPathAndQuery(target)).toEqual({ path, query });
});

test('loses nothing of an origin-form target without a fragment', () => {
  const part = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[?#]/g, ''));
  fc.assert(
    fc.property(part, part, (path, query) => {
      expect(splitPathAndQuery(`/${path}?${query}`)).toEqual({ path: `/${path}`, query });
    }),
  );
});
