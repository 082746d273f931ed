import { expect, test } from 'vitest';
import { recordedSearch } from '../../admin/server/recorded-search.js';
import { searchResults } from './search-results.js';

const demo = {
  ...{ seed: 'search', days: 7, requestsPerDay: 10, domain: 'example.com' },
  end: Date.parse('2026-11-21T08:20:00Z'),
};

test('the demo’s search results are 60 days up to three days ago, in the command’s format', () => {
  const recordings = searchResults(demo, 'web_1');
  for (const one of recordings) expect(recordedSearch.safeParse(one).error).toBeUndefined();
  const days = recordings.flatMap((one) => one.days);
  expect(days).toHaveLength(60);
  expect([days[0]!.totals.day, days.at(-1)!.totals.day]).toEqual(['2026-09-20', '2026-11-18']);
  for (const { totals, pages } of days)
    expect(pages.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(totals.impressions);
  expect(recordings.at(-1)!.inspections!.length).toBeGreaterThan(100);
  // No query of a page has more impressions than the page.
  const shown = new Map<string, number>();
  for (const { path, impressions } of days.slice(-28).flatMap(({ pages }) => pages))
    shown.set(path, (shown.get(path) ?? 0) + impressions);
  const { pageQueries } = recordings.at(-1)!;
  expect(pageQueries!.length).toBeGreaterThan(100);
  for (const { path, impressions } of pageQueries!) expect(impressions).toBeLessThanOrEqual(shown.get(path)!);
  expect(searchResults(demo, 'web_1')).toEqual(recordings);
});
