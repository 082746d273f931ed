import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { pathLists, runs, usualPath } from '../../../test/harness/api/snippet-entries.js';
import { goablePaths } from './gone-paths.js';

describe('paths that may be marked as gone', () => {
  test.each([
    ['/old', true],
    ['/a%20b/caf%C3%A9', true],
    ["/it's(1)+$*;x=1", true],
    ['/', false],
    ['/robots.txt', false],
    ['/.well-known/acme-challenge/x', false],
    ['/a b', false],
    ['/a"b', false],
    ['/a\nb', false],
    ['/a%0Ab', false],
    ['/a%00', false],
    ['/%ff', false],
    ['/100%', false],
    ['//old', false],
    ['/x/../old', false],
    ['old', false],
    ['/%61bout', false],
    ['/a%2Fb', false],
  ])('%j: %s', (path, may) => {
    expect(goablePaths([path])).toEqual(may ? [path] : []);
  });

  it('a path that no rule supports is left out', () => {
    expect(goablePaths([`/${'x'.repeat(1_000)}`, `/${'x'.repeat(999)}`])).toEqual([`/${'x'.repeat(999)}`]);
  });

  it('a listed path has only necessary encoding, so decoding does not lead to another page', () => {
    fc.assert(
      fc.property(pathLists, (paths) => {
        for (const path of goablePaths(paths)) {
          const decoded = decodeURIComponent(path);
          const encoded = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
          expect(encoded(encodeURI(decoded).replaceAll('%5B', '[').replaceAll('%5D', ']'))).toBe(
            encoded(path)
              .replaceAll('%5B', '[')
              .replaceAll('%5D', ']')
              .replaceAll('%3F', '?')
              .replaceAll('%23', '#'),
          );
        }
      }),
      runs,
    );
  });

  it('most usual paths are accepted', () => {
    fc.assert(
      fc.property(usualPath, (path) => {
        expect(goablePaths([path])).toEqual([path]);
      }),
      runs,
    );
  });
});
