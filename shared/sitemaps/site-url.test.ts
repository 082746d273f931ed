import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { normalPath, normalSpelling } from '../urls/normal-spelling.js';
import { classifyUrl } from './site-url.js';

test.each([
  ['https://example.com/a', '/a'],
  ['http://www.example.com/a?b=c#d', '/a'],
  ['https://EXAMPLE.com', '/'],
  ['https://example.com/größe', '/gr%C3%B6%C3%9Fe'],
  ['https://example.com/%7Ea%20b/c d', '/~a%20b/c%20d'],
  ['https://example.com/%d0%bf|x', '/%D0%BF%7Cx'],
  ['https://example.com/caf%e9', '/caf%E9'],
  ['https://example.com:8443/a/../b', '/b'],
  ['https://example.com/a\\b', '/a%5Cb'],
])('the path of %s is the page %s of the logs', (loc, path) => {
  expect(classifyUrl(loc, 'example.com')).toMatchObject({ kind: 'own', path });
});

test.each([
  ['https://example.com/p?id=2#x', 'id=2'],
  ['https://example.com/p?', ''],
  ["https://example.com/p?%4'", "%4'"],
  ['https://example.com/p?q=größe&r=%c3%a9&s=a+b', 'q=gr%C3%B6%C3%9Fe&r=%C3%A9&s=a+b'],
])('%s has the query %j', (loc, query) => {
  expect(classifyUrl(loc, 'example.com')).toMatchObject({ path: '/p', query });
});

/** Characters that parsers treat differently, and path segments. The parser drops line ends and tabs, and a final space. */
const pieces = [
  ...["'", '%27', '\\', '%5c', '/', '.', '..', '%2e', '/./', '/../', '//', '"', '<', '`', '{', '|', '^', '['],
  ...[
    'a',
    'é',
    '%e9',
    '%C3%A9',
    '%',
    '%4',
    '&',
    '=',
    '+',
    ' x',
    ':',
    '@',
    ';',
    '~',
    '%7E',
    '*',
    '$',
    '(',
    '!',
  ],
];

test('a URL has the same path and query as a log line with the same text', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((each) => each.join('')),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const part = text.map((each) => each.replace(/[?#\p{Cc}\p{Zs}]/gu, ''));
  fc.assert(
    fc.property(part, part, (path, query) => {
      expect(classifyUrl(`https://example.com/${path}?${query}`, 'example.com')).toMatchObject({
        path: normalPath(`/${path}`),
        query: normalSpelling(query),
      });
    }),
    { numRuns: runs(5_000) },
  );
});

test.each(["q=it's", 'q=it%27s'])('%s is one query', (query) => {
  expect(classifyUrl(`https://example.com/p?${query}`, 'example.com')).toMatchObject({ query: "q=it's" });
});

test('a domain with and without www. has the same pages', () => {
  expect(classifyUrl('https://example.com/a', 'www.example.com')).toMatchObject({ kind: 'own', path: '/a' });
});

test('credentials in a URL are dropped', () => {
  expect(classifyUrl('https://user:secret@example.com/a', 'example.com')).toMatchObject({
    url: 'https://example.com/a',
  });
});

test.each(['https://example.org/a', 'https://shop.example.com/a', 'https://example.com.evil.test/'])(
  '%s is of another website',
  (loc) => {
    expect(classifyUrl(loc, 'example.com')).toEqual({ kind: 'foreign' });
  },
);

test.each([
  '/a',
  '',
  'https:\\\\example.com\\a',
  '//example.com/a',
  'ftp://example.com/a',
  'javascript:alert(1)',
  `https://example.com/${'x'.repeat(2_048)}`,
])('%s is not a valid sitemap URL', (loc) => {
  expect(classifyUrl(loc, 'example.com')).toEqual({ kind: 'invalid' });
});
