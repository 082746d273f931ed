import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalPath } from './normal-spelling.js';
import { isOwnHost, readAddress, slashTwin } from './path-of-address.js';

describe('an address', () => {
  test.each([
    ['/blog/', null, '/blog/'],
    ['/blog?page=2', null, '/blog'],
    ['/blog#top?x', null, '/blog'],
    ['/a%3Fb%23c', null, '/a%3Fb%23c'],
    ['//double/slash', null, '//double/slash'],
    ['/a/./b/../c', null, '/a/c'],
    ['blog', null, 'blog'],
    ['', null, ''],
    ['https://example.com/Blog/%C3%BC?x#y', 'example.com', '/Blog/%C3%BC'],
    ['HTTP://WWW.Example.com:8080/a', 'www.example.com', '/a'],
    ['https://example.com/größe|x y', 'example.com', '/gr%C3%B6%C3%9Fe%7Cx%20y'],
    ['/größe', null, '/gr%C3%B6%C3%9Fe'],
    ['/caf%c3%a9/%7Ea', null, '/caf%C3%A9/~a'],
    ['https://example.com', 'example.com', '/'],
    ['https://example.com?x=/y', 'example.com', '/'],
    ['https://user:pass@example.com:443/a', 'example.com', '/a'],
    ['https://[2001:db8::1]:8080/a', '[2001:db8::1]', '/a'],
    ['https://[2001:db8::1]/a', '[2001:db8::1]', '/a'],
    ['https:///a', '', '/a'],
    ['ftp://example.com/a', null, 'ftp://example.com/a'],
  ])('%s', (text, host, path) => {
    expect(readAddress(text)).toMatchObject({ host, path });
  });

  test.each([
    ['/blog?page=2#top?x', 'page=2'],
    ['https://example.com?x=/y', 'x=/y'],
    ['/a?q=%d0%bf&r=é?s', 'q=%D0%BF&r=%C3%A9?s'],
    ['/a?', ''],
    ['/a#b?c', ''],
  ])('%s has the query %j', (text, query) => {
    expect(readAddress(text)).toMatchObject({ query });
  });

  test('after any host and before any query string a path has one spelling', () => {
    const path = fc.string({ unit: 'binary' }).map((text) => `/${text.replace(/[?#]/g, '')}`);
    fc.assert(
      fc.property(path, fc.string(), (given, query) => {
        expect(readAddress(`${given}?${query}`)).toMatchObject({ host: null, path: normalPath(given) });
        expect(readAddress(`https://example.com${given}#${query}`)).toEqual({
          host: 'example.com',
          path: normalPath(given),
          query: '',
        });
      }),
    );
  });
});

test.each([
  ['example.com', 'example.com', true],
  ['www.example.com', 'example.com', true],
  ['example.com', 'www.example.com', true],
  ['shop.example.com', 'www.example.com', true],
  ['badexample.com', 'example.com', false],
  ['example.com.evil.example', 'example.com', false],
  ['example.com', 'shop.example.com', false],
  ['', 'example.com', false],
])('%s is a host of %s: %s', (host, domain, own) => {
  expect(isOwnHost(host, domain)).toBe(own);
});

test('the twin of a path differs in the trailing slash, and the twin’s twin is the path; the root has none', () => {
  expect(slashTwin('/')).toBeNull();
  expect(slashTwin('/blog')).toBe('/blog/');
  expect(slashTwin('/blog/')).toBe('/blog');
  fc.assert(
    // A path that ends with several slashes is the twin of none.
    fc.property(
      fc
        .string({ minLength: 1 })
        .map((text) => `/${text}`)
        .filter((path) => !path.endsWith('//')),
      (path) => {
        expect(slashTwin(slashTwin(path)!)).toBe(path);
      },
    ),
  );
});
