import { expect, test } from 'vitest';
import { createListedPages } from './listed-pages.js';

test('every listed page is known, and URLs are stored up to a size limit', () => {
  const listed = createListedPages(100);
  const urls = Array.from({ length: 10 }, (_, n) => `https://shop.example/${n}`.padEnd(30, 'x'));
  for (const url of [...urls, ...urls]) listed.add(url);
  expect(urls.every((url) => listed.has(url))).toBe(true);
  expect(listed.has('https://shop.example/')).toBe(false);
  expect([...listed.urls()]).toEqual(urls.slice(0, 3));
});
