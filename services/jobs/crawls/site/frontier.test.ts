import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrontier, type Frontier, type KnownPage } from './frontier.js';

const at = (path: string) => `https://shop.example${path}`;

function drain(frontier: Frontier): string[] {
  const urls: string[] = [];
  for (let page = frontier.next(); page !== undefined; page = frontier.next()) urls.push(page.url);
  return urls;
}

test('pages come once each, in the order of discovery', () => {
  const frontier = createFrontier({ maxPages: 100 });
  frontier.add(at('/'), 0, 'home');
  frontier.add(at('/seed'), 0, 'seed');
  expect(frontier.next()?.url).toBe(at('/'));
  expect(frontier.add(at('/a'), 1, 'link')).toBe(2);
  expect(frontier.add(at('/a'), 1, 'link')).toBe(2);
  expect(frontier.add(at('/seed'), 1, 'link')).toBe(1);
  expect(drain(frontier)).toEqual([at('/seed'), at('/a')]);
  frontier.add(at('/listed'), 0, 'sitemap');
  expect(drain(frontier)).toEqual([at('/listed')]);
});

test('no more pages are known than the maximum', () => {
  const frontier = createFrontier({ maxPages: 2 });
  expect(['/', '/a', '/b', '/a'].map((path) => frontier.add(at(path), 0, 'link'))).toEqual([0, 1, 'full', 1]);
  expect(frontier.leftOut().get('full')).toBe(1);
});

test.each([
  ['too_deep', '/a', 51],
  ['too_long', `/${'a'.repeat(1_100)}`, 1],
  ['repeated_segments', '/a/b/a/b/a/b/a', 1],
  ['many_parameters', '/?a=1&b=1&c=1&d=1&e=1&f=1&g=1', 1],
] as const)('a URL that is %s is a trap', (trap, path, depth) => {
  expect(createFrontier({ maxPages: 10 }).add(at(path), depth, 'link')).toBe(trap);
});

test('an endless calendar is cut off, the products of a shop are not', () => {
  const frontier = createFrontier({ maxPages: 50_000 });
  for (let day = 0; day < 5_000; day++) {
    frontier.add(at(`/calendar/${day}/1`), 1, 'link');
    frontier.add(at(`/product/${day}`), 1, 'link');
  }
  expect(frontier.leftOut().get('many_of_pattern')).toBe(4_000);
  expect(frontier.size()).toBe(6_000);
});

test('a crawl resumed at any point fetches the remaining pages under the same numbers', () => {
  const paths = fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(paths, fc.nat(40), (given, fetchedCount) => {
      const fill = (frontier: Frontier) =>
        given.map(([path, depth]) => frontier.add(at(`/${path}`), depth, 'link'));
      const first = createFrontier({ maxPages: 20 });
      const numbers = fill(first);
      const known = new Map<string, KnownPage>();
      given.forEach(([path, depth], place) => {
        const [url, number] = [at(`/${path}`), numbers[place]!];
        if (typeof number === 'number' && !known.has(url))
          known.set(url, { number, url, depth, foundBy: 'link' });
      });
      const fetched = new Set<number>();
      for (let count = 0; count < fetchedCount; count++) {
        const page = first.next();
        if (page !== undefined) fetched.add(page.number);
      }
      const second = createFrontier({ maxPages: 20 }, [...known.values()], (number) => fetched.has(number));
      expect(fill(second)).toEqual(numbers);
      expect(drain(second)).toEqual(drain(first));
    }),
  );
});
