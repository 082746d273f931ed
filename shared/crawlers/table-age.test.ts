import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tableAge, watchTableAge } from './table-age.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-22T10:00:00Z');
const snapshot = (feed: string, retrieved: string) => ({
  feed,
  operator: 'Example',
  urls: ['https://example.com'],
  published: null,
  retrieved,
  prefixes: ['192.0.2.0/24'],
});
const data = {
  table: { version: 'crawlers-2026-11', crawlers: [], families: [] },
  history: new Map([
    ['a', [snapshot('a', '2026-01-01'), { ...snapshot('a', '2026-11-20'), since: '2026-09-01' }]],
    ['b', [snapshot('b', '2026-10-24')]],
  ]),
};

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

test('the age of each feed is that of its last download, regardless of its list’s first day', () => {
  expect(tableAge(data, NOW)).toEqual({
    table: 'crawlers-2026-11',
    newest_list_days: 2,
    oldest_list_days: 29,
    old_lists: [],
    refused_lists: [],
  });
  expect(tableAge(data, NOW + DAY)).toMatchObject({ oldest_list_days: 30, old_lists: ['b'] });
});

test('a list of 30 days is logged on that day and every day after, and its age is a metric', async () => {
  const lines: string[] = [];
  const registry = new Registry();
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const stop = watchTableAge(() => data, { registry, logger, now: Date.now });
  expect(lines).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * DAY);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { feeds: 1, oldest_days: 30 },
    { feeds: 1, oldest_days: 31 },
  ]);
  expect(await registry.metrics()).toContain('loglane_crawler_ranges_age_days{feed="b"} 31');
  stop();
  await vi.advanceTimersByTimeAsync(2 * DAY);
  expect(lines).toHaveLength(2);
});
