import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalPath, normalSpelling } from '../../../shared/urls/normal-spelling.js';
import { splitPathAndQuery } from './split-path-and-query.js';

test.each([
  ['/', '/', ''],
  ['/a/b?x=1&y=2', '/a/b', 'x=1&y=2'],
  ['/a?', '/a', ''],
  ['/a?b?c=/d', '/a', 'b?c=/d'],
  ['/a%20b/%C3%A9?q=%26', '/a%20b/%C3%A9', 'q=%26'],
  ["/a(b)';x,y?q='[1]'&r=a/b?c", "/a(b)';x,y", "q='[1]'&r=a/b?c"],
  ['/a#é', '/a', ''],
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
  expect(splitPathAndQuery(target)).toEqual({ path, query, sent_target: '' });
});

test.each([
  ['/caf%c3%a9?q=%d0%bf', '/caf%C3%A9', 'q=%D0%BF', '/caf%c3%a9?q=%d0%bf'],
  ['/café', '/caf%C3%A9', '', '/café'],
  ['/caf%e9', '/caf%E9', '', '/caf%e9'],
  ['/sho%65s?a', '/shoes', 'a', '/sho%65s?a'],
  ['/a/./b/../c?x=/../y', '/a/c', 'x=/../y', '/a/./b/../c?x=/../y'],
  ['/../../etc/passwd', '/etc/passwd', '', '/../../etc/passwd'],
  ['/%2e%2e/a', '/a', '', '/%2e%2e/a'],
  ['/it%27s?q=%27', "/it's", "q='", '/it%27s?q=%27'],
  ['/a\\..\\b', '/a%5C..%5Cb', '', '/a\\..\\b'],
  ['/a?q=é#top', '/a', 'q=%C3%A9', '/a?q=é'],
  ['https://example.com/%7ea', '/~a', '', '/%7ea'],
])('normalises %j, and stores the sent target', (target, path, query, sent) => {
  expect(splitPathAndQuery(target)).toEqual({ path, query, sent_target: sent });
});

test('a target that grows by escapes is cut at the length limit, and stored as sent', () => {
  const target = `/${'é'.repeat(3_000)}?${'ツ'.repeat(3_000)}`;
  const { path, query, sent_target } = splitPathAndQuery(target);
  expect(path.length + query.length).toBeLessThanOrEqual(8_192);
  expect(path).toBe(`/${'%C3%A9'.repeat(1_365)}`);
  expect(query).toBe('');
  expect(sent_target).toBe(target);
});

test('preserves everything except the spelling of an origin-form target without a fragment', () => {
  const part = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[?#]/g, ''));
  fc.assert(
    fc.property(part, part, (path, query) => {
      const split = splitPathAndQuery(`/${path}?${query}`);
      expect(split).toMatchObject({ path: normalPath(`/${path}`), query: normalSpelling(query) });
      const sent = query === '' ? `/${path}` : `/${path}?${query}`;
      expect(split.sent_target || sent).toBe(sent);
    }),
  );
});
