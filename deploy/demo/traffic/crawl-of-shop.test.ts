import { expect, test } from 'vitest';
import { crawlOfShop } from './crawl-of-shop.js';
import { crawledPages } from './crawled-pages.js';
import { demoSite } from './demo-traffic.js';

const demo = {
  ...{ seed: 'test', days: 2, requestsPerDay: 15_000, domain: 'shop.example' },
  end: Date.parse('2026-11-20T12:00:00Z'),
};
const rowsOf = (csv: string) =>
  csv
    .trim()
    .split('\n')
    .map((line) => line.slice(1, -1).split('","'));

test('the same seed gives the same crawl', () => {
  expect(crawlOfShop(demo)).toEqual(crawlOfShop(demo));
});

test('it has each page once, and each link connects two of its pages', () => {
  const { pages, links } = crawlOfShop(demo);
  const [header, ...rows] = rowsOf(pages);
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([header!.length]));
  const urls = new Set(rows.map(([url]) => url!));
  expect(urls.size).toBe(rows.length);
  for (const [, from, to] of rowsOf(links).slice(1)) {
    if (!urls.has(from!) || !urls.has(to!) || from === to) expect.unreachable(`${from} links to ${to}`);
  }
});

test('pages answer as in the logs, except for the failing template', () => {
  const { products, retired, legacy, posts, information } = demoSite(demo);
  const known = new Map(
    [...products.map(({ page }) => page), ...retired, ...legacy, ...posts, ...information].map(
      ({ target, status }) => [target, status],
    ),
  );
  const pages = crawledPages(demo);
  const judged = pages.filter(({ target }) => known.has(target));
  expect(judged.length).toBeGreaterThan(5_000);
  for (const { target, status } of judged) expect([target, status]).toEqual([target, known.get(target)]);
  const broken = pages.filter(({ status }) => status === 500);
  expect(broken.length).toBeGreaterThan(5);
  for (const { target } of broken) expect(target).toMatch(/^\/hire\//);
});

test('the crawl ends the endless hire calendar at a limit', () => {
  const months = crawledPages(demo).filter(({ target }) => target.startsWith('/hire/calendar/'));
  expect(months).toHaveLength(24);
  expect(demoSite(demo).hireCalendar.length).toBeGreaterThan(100);
});
