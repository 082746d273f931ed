import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPatternLearner } from './learn-patterns.js';

function learnPatterns(paths: readonly string[]): string[] {
  const learner = createPatternLearner();
  for (const path of paths) learner.add(path);
  return learner.patterns();
}

const patternOf = (path: string) => learnPatterns([path])[0];

test.each([
  ['/', '/'],
  ['/about', '/about'],
  ['/shop/', '/shop/'],
  ['//', '//'],
  ['*', '{other}'],
  ['http://other.example/x', '{other}'],
  ['/orders/100400', '/orders/{number}'],
  ['/u/6fa459ea-ee8a-3ca4-894e-db77e160355e/edit', '/u/{uuid}/edit'],
  ['/assets/js/shop.9f31c2ab.js', '/assets/js/shop.{hash}.js'],
  ['/assets/9f31c2ab4be07d15.css', '/assets/{hash}.css'],
  ['/facade', '/facade'],
  ['/v/dQw4w9WgXcQ', '/v/{id}'],
  ['/item/p12345', '/item/{id}'],
  ['/2026/11/22/first-night-outdoors', '/{year}/{month}/{day}/{slug}'],
  ['/events/2031/05', '/events/{year}/{month}'],
  ['/events/2026-11-22', '/events/{date}'],
  ['/archive/2026', '/archive/{number}'],
  ['/en/about', '/{lang}/about'],
  ['/de-DE/about', '/{lang}/about'],
  ['/my/account', '/my/account'],
  ['/shop/de', '/shop/de'],
  ['/blog/page/3', '/blog/page/{page}'],
  ['/blog/page-3/', '/blog/page-{page}/'],
  ['/p/trail-pro-hiking-boot-black-20003', '/p/{slug}'],
  ['/p/trail-pro-hiking-boot-black-20003.html', '/p/{slug}.html'],
  ['/gift-cards', '/gift-cards'],
  ['/product-12', '/{slug}'],
  ['/robots.txt', '/robots.txt'],
  ['/cart;jsessionid=1A2B', '/cart;{params}'],
  [`/${'%E3%81%82'.repeat(9)}`, '/{slug}'],
  [`/${'a/'.repeat(14)}b`, `/${'a/'.repeat(12)}{deeper}`],
])('%s has the pattern %s, with any other paths', (path, pattern) => {
  expect(patternOf(path)).toBe(pattern);
});

const patternsOf = (paths: readonly string[]) => new Set(learnPatterns(paths));
const names = (count: number, first = 0) =>
  Array.from(
    { length: count },
    (_, index) =>
      `name${String.fromCharCode(97 + ((first + index) % 26))}${'x'.repeat(Math.floor((first + index) / 26))}`,
  );

test('a title has three words, or two and a digit, with any separators', () => {
  const parts = fc.array(fc.constantFrom('a', 'x', '%', '%20', '-', '_', '+', '~', ' '), { minLength: 1 });
  fc.assert(
    fc.property(parts, (texts) => {
      const text = texts.join('').slice(0, 50);
      const words = text
        .replaceAll('%20', ' ')
        .split(/[-_+~ ]/)
        .filter((word) => word !== '').length;
      const isTitle = words >= 3 || (words === 2 && text.includes('0'));
      expect(patternOf(`/${text}`)).toBe(isTitle ? '/{slug}' : `/${text}`);
    }),
  );
});

describe('sibling names', () => {
  test('are slugs if there are at least five', () => {
    expect(patternsOf(names(4).map((name) => `/brands/${name}`)).size).toBe(4);
    expect(patternsOf(names(5).map((name) => `/brands/${name}`))).toEqual(new Set(['/brands/{slug}']));
  });

  test('at the top, and below a language, are sections and single pages up to fifty', () => {
    expect(patternsOf(names(49).map((name) => `/${name}`)).size).toBe(49);
    expect(patternsOf(names(50).map((name) => `/${name}`))).toEqual(new Set(['/{slug}']));
    expect(patternsOf(names(49).map((name) => `/en/${name}`)).size).toBe(49);
  });

  test('keep the extension of files', () => {
    const files = [
      ...names(6).map((name) => `/media/${name}.png`),
      ...names(6).map((name) => `/media/${name}`),
    ];
    expect(patternsOf(files)).toEqual(new Set(['/media/{slug}.png', '/media/{slug}']));
  });

  test('are joined from the top down, so that the paths below become one folder', () => {
    const reviews = names(8).flatMap((name) => [
      `/brands/${name}`,
      `/brands/${name}/reviews`,
      `/brands/${name}/faq`,
    ]);
    expect(patternsOf(reviews)).toEqual(
      new Set(['/brands/{slug}', '/brands/{slug}/reviews', '/brands/{slug}/faq']),
    );
  });

  test('keep the name of a section with at least ten paths', () => {
    const shop = [
      ...names(9).map((name) => `/shop/${name}`),
      ...names(12).map((name) => `/shop/boots/${name}`),
    ];
    expect(patternsOf(shop)).toEqual(new Set(['/shop/{slug}', '/shop/boots/{slug}']));
  });

  test('are no sections if fifty of them are as large', () => {
    const users = names(50).flatMap((user) => names(12).map((name) => `/u/${user}/${name}`));
    expect(patternsOf(users)).toEqual(new Set(['/u/{slug}/{slug}']));
  });

  test('do not change page numbers', () => {
    const blog = [...names(20).map((name) => `/blog/${name}`), '/blog/page/2', '/blog/page/3'];
    expect(patternsOf(blog)).toEqual(new Set(['/blog/{slug}', '/blog/page/{page}']));
  });
});

/** A website whose folders are not close to a threshold: a few names, or many. */
const folder = fc.record({
  name: fc.constantFrom('blog', 'shop', 'help', 'wiki', 'news', 'docs'),
  count: fc.constantFrom(1, 2, 3, 9, 20, 60),
  below: fc.constantFrom('', '/reviews', '/page/2', '/2026/11'),
});
const site = fc.uniqueArray(folder, { selector: ({ name }) => name, maxLength: 6 });
const pathsOf = (folders: readonly { name: string; count: number; below: string }[]) =>
  folders.flatMap(({ name, count, below }) => names(count).map((one) => `/${name}/${one}${below}`));

describe('the patterns of a site', () => {
  test('are the same on the next day, when each folder and the website have one page more', () => {
    fc.assert(
      fc.property(site, (folders) => {
        const paths = pathsOf(folders);
        const added = folders.map(({ name, below }) => `/${name}/brandnew${below}`);
        const later = learnPatterns([...paths, ...added, '/newpage']);
        expect(later.slice(0, paths.length)).toEqual(learnPatterns(paths));
      }),
    );
  });

  test('are not renamed by paths of other folders, in any number', () => {
    fc.assert(
      fc.property(site, fc.array(fc.webPath(), { maxLength: 80 }), (folders, others) => {
        const paths = pathsOf(folders);
        const foreign = others.map((path) => `/elsewhere${path}`);
        const together = learnPatterns([...foreign, ...paths]).slice(foreign.length);
        expect(together).toEqual(learnPatterns(paths));
      }),
    );
  });

  test('do not depend on the order of the paths', () => {
    const shuffledSite = fc
      .array(fc.oneof(fc.webPath(), fc.stringMatching(/^(\/[a-d]{1,2}){1,4}$/)), { maxLength: 120 })
      .chain((paths) =>
        fc.tuple(fc.constant(paths), fc.shuffledSubarray(paths, { minLength: paths.length })),
      );
    fc.assert(
      fc.property(shuffledSite, ([paths, shuffled]) => {
        const of = (given: readonly string[]) =>
          new Map(given.map((path, place) => [path, learnPatterns(given)[place]]));
        const [one, other] = [of([...new Set(paths)]), of([...new Set(shuffled)])];
        for (const [path, pattern] of one) expect(other.get(path)).toBe(pattern);
      }),
    );
  });

  test('exist for any text: each path has one, with at most its number of segments', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 60 }), (texts) => {
        const paths = texts.map((text) => `/${text}`);
        const patterns = learnPatterns(paths);
        expect(patterns).toHaveLength(paths.length);
        for (const [place, pattern] of patterns.entries()) {
          expect(pattern.startsWith('/')).toBe(true);
          expect(pattern.split('/').length).toBeLessThanOrEqual(paths[place]!.split('/').length);
        }
      }),
    );
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))('a folder called %s is a folder', (name) => {
    expect(patternOf(`/${name}/1`)).toBe(`/${name}/{number}`);
  });
});
