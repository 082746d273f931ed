import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { type CrawledSite, linkTarget } from './page-url.js';

const site: CrawledSite = { domain: 'shop.example', queryKeys: new Set(['page', 'color']) };
const base = 'https://www.shop.example/a/b';

test.each([
  ['c', 'https://www.shop.example/a/c'],
  ['/x#part', 'https://www.shop.example/x'],
  ['//shop.example/x', 'https://shop.example/x'],
  ['http://user:pass@SHOP.example:80/x', 'http://shop.example/x'],
  ['/x?', 'https://www.shop.example/x'],
  ['/x?utm_source=mail&page=2&color=red', 'https://www.shop.example/x?color=red&page=2'],
  ['/größe', 'https://www.shop.example/gr%C3%B6%C3%9Fe'],
  ['/gr%c3%b6%C3%9fe/%7Ea%2fb|c', 'https://www.shop.example/gr%C3%B6%C3%9Fe/~a%2Fb%7Cc'],
  ['/x?color=%7e%d0%bf', 'https://www.shop.example/x?color=~%D0%BF'],
  ['/../../x', 'https://www.shop.example/x'],
])('of its own site %s leads to %s', (link, url) => {
  expect(linkTarget(link, base, site)).toEqual({ kind: 'own', url });
});

test.each([
  ['https://other.example/', 'external'],
  ['https://blog.shop.example/', 'external'],
  ['mailto:a@shop.example', 'none'],
  ['javascript:void(0)', 'none'],
  ['https://shop.example:8443/', 'none'],
  ['http://[', 'none'],
  [`/${'a'.repeat(3_000)}`, 'none'],
])('%s is no page of the site', (link, kind) => {
  expect(linkTarget(link, base, site)).toEqual({ kind });
});

test('the form of a URL is its own form, for any link', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.webPath(), fc.webQueryParameters());
  fc.assert(
    fc.property(part, part, (path, query) => {
      const first = linkTarget(`/${path}?page=${query}`, base, site);
      if (first.kind === 'own') expect(linkTarget(first.url, base, site)).toEqual(first);
    }),
    { numRuns: runs(300) },
  );
});

test('kept parameters make the same page in any order', () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom('page', 'color', 'utm'), fc.webSegment()), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(pairs, (given) => {
      const once = new Map(given);
      const url = (list: [string, string][]) => linkTarget(`/x?${new URLSearchParams(list)}`, base, site);
      expect(url([...once])).toEqual(url([...once].reverse()));
    }),
  );
});
