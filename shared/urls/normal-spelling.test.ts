import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../test/harness/growth.js';
import { runs } from '../../test/harness/runs.js';
import { headOfSpelling, normalPath, normalSpelling, normalTarget, normalUrl } from './normal-spelling.js';

describe('one spelling', () => {
  test.each([
    ['digits of escapes in upper case', '/%d0%bf', '/%D0%BF'],
    ['letters and digits without an escape', '/sho%65s%2d%5F%7e%2E', '/shoes-_~.'],
    ['an underscore', '/last%5fversion', '/last_version'],
    ['reserved characters in either case', '/Detail/NjAxOA%3d%3d', '/Detail/NjAxOA%3D%3D'],
    ['characters beyond ASCII as UTF-8', '/café/привет', '/caf%C3%A9/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82'],
    ['characters beyond the first plane', '/😀', '/%F0%9F%98%80'],
    ['what no URL may hold', '/a b"<>\\^`{|}\t', '/a%20b%22%3C%3E%5C%5E%60%7B%7C%7D%09'],
    [
      'reserved characters as they are written',
      "/a%2fb/c%28(%3F?a=%26&b='[x]",
      "/a%2Fb/c%28(%3F?a=%26&b='[x]",
    ],
    ['bytes that are not UTF-8', '/caf%e9', '/caf%E9'],
    ['a plus, and the escape of a space', 'q=a+b%20c', 'q=a+b%20c'],
    ['a percent sign that begins no escape', '/100%/%zz/%4', '/100%/%zz/%4'],
    ['an escape that would complete another', '/%%341/%4%31', '/%%341/%4%31'],
    ['an escaped percent sign', '/%2541', '/%2541'],
    ['case and slashes', '//A//b/C/', '//A//b/C/'],
    ['an apostrophe, escaped or not', "/it%27s/it's", "/it's/it's"],
    ['dot segments of what may be a query', 'a=/./%2e%2E/b', 'a=/./../b'],
    ['no text', '', ''],
  ])('%s', (_, given, expected) => {
    expect(normalSpelling(given)).toBe(expected);
  });

  const pieces = fc.constantFrom(
    '%',
    '4',
    '1',
    'c',
    'F',
    '%41',
    '%c3',
    '%A9',
    '%zz',
    'é',
    '/',
    '?',
    ' ',
    '*',
    '😀',
    '\ud83d',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 30 }).map((each) => each.join('')),
  );

  test('is idempotent', () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = normalSpelling(given);
        expect(normalSpelling(once)).toBe(once);
        expect(once).toMatch(/^[!-~]*$/);
      }),
      { numRuns: runs(20_000) },
    );
  });

  test('decoded text has the same meaning', () => {
    const decodable = fc.string({ unit: 'grapheme' }).filter((given) => !given.includes('%'));
    fc.assert(
      fc.property(decodable, (given) => {
        expect(decodeURIComponent(normalSpelling(given))).toBe(given);
        expect(normalSpelling(encodeURI(given))).toBe(
          normalSpelling(given).replaceAll('[', '%5B').replaceAll(']', '%5D'),
        );
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each(['a', '%', '%4', '%41', '%c3', 'é', 'é%', ' a', '\ud800'])(
    '%j repeated takes linear time',
    (piece) => {
      expect(growthOf(50_000, (length) => normalSpelling(piece.repeat(length)))).toBeLessThan(MOST_GROWTH);
    },
  );
});

describe('a path', () => {
  test.each([
    ['/', '/'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/a/%2e%2E/b', '/b'],
    ['/a/.', '/a/'],
    ['/a/b/..', '/a/'],
    ['/..', '/'],
    ['/../../etc/passwd', '/etc/passwd'],
    ['//a//../b', '//a/b'],
    ['/a/...', '/a/...'],
    ['/.well-known/..a/b.', '/.well-known/..a/b.'],
    ['/a/..%2fb', '/a/..%2Fb'],
    ['*', '*'],
    ['a/../b', 'a/../b'],
    ['', ''],
  ])('%s has no dot segments: %s', (given, expected) => {
    expect(normalPath(given)).toBe(expected);
  });

  const steps = fc.constantFrom('', '.', '..', '%2e', '.%2E', 'a', 'b.', '...', '%', 'é');
  const paths = fc.array(steps, { minLength: 1, maxLength: 12 }).map((each) => `/${each.join('/')}`);

  test('resolves as in the URL standard, and is idempotent', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const once = normalPath(path);
        expect(once).toBe(
          normalUrl(new URL(`https://example.com${path}`)).slice('https://example.com'.length),
        );
        expect(normalPath(once)).toBe(once);
        expect(normalTarget(`${path}?${path}`)).toBe(`${once}?${normalSpelling(path)}`);
      }),
    );
  });

  test.each(['/..', '/.', '/a/..', '//', '/%2e'])('%j repeated takes linear time', (piece) => {
    expect(growthOf(50_000, (length) => normalPath(piece.repeat(length)))).toBeLessThan(MOST_GROWTH);
  });
});

test('truncation leaves no partial escape', () => {
  expect(headOfSpelling('/a%C3%A9', 8)).toBe('/a%C3%A9');
  expect(headOfSpelling('/a%C3%A9', 7)).toBe('/a%C3');
  expect(headOfSpelling('/a%C3%A9', 6)).toBe('/a%C3');
  expect(headOfSpelling('/a%C3%A9', 5)).toBe('/a%C3');
  expect(headOfSpelling('/a%C3%A9', 4)).toBe('/a');
  expect(headOfSpelling('/100%/x', 5)).toBe('/100%');
});
