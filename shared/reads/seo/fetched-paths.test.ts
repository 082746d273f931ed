import { expect, test } from 'vitest';
import { sumFetches } from './fetched-paths.js';

test('sums fetches of a build and later ones; of several last crawlers, the last name is listed', () => {
  const row = (path: string, bot_name: string, requests: number, last_seen: number) => ({
    ...{ path, bot_name, requests, last_seen },
  });
  const rows = [
    row('/a', 'Googlebot', 5, 10),
    row('/a', 'bingbot', 2, 20),
    row('/a', 'Googlebot', 1, 20),
    row('/a', 'YandexBot', 1, 15),
    row('constructor', 'Googlebot', 1, 5),
  ];
  for (const given of [rows, rows.toReversed()])
    expect(Object.fromEntries(sumFetches(given))).toEqual({
      '/a': { path: '/a', crawls: 9, lastCrawled: 20, lastBot: 'bingbot' },
      constructor: { path: 'constructor', crawls: 1, lastCrawled: 5, lastBot: 'Googlebot' },
    });
});
