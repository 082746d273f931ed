import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../store/client.js';
import { AnswerTooLongError } from '../../store/store-errors.js';
import { MAX_PATHS, urlPatterns } from './url-patterns.js';

const DAY = 86_400_000;
const scope = { websiteId: 'shop', window: { start: 0, end: 7 * DAY }, filters: {}, lateVerdicts: [] };
const input = { params_filter: 'all', min_urls: 3 } as const;

/** A reader of a number of paths, each with one verified request; the website has `all` of them, the first in the hour `since`. */
function readerOf(paths: number, all: number, since: number | null = null) {
  const statements: string[] = [];
  const nothing = { status_1xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0, redirected_requests: 0 };
  const rows = Array.from({ length: paths }, (_, index) => ({
    ...nothing,
    list: 0,
    path_start: `/p/${index}`,
    has_query: 0,
    requests: 1,
    status_2xx: 1,
  }));
  const reader = {
    async read({ name }: { name: string }) {
      if (name === 'data_since') return since === null ? [] : [{ since, complete_since: since }];
      statements.push(name);
      return name === 'counted_crawlers.proofs' ? [{ list: 0, requests: all, verified_requests: all }] : rows;
    },
  } as unknown as ClickHouseReader;
  return { reader, statements };
}

test('with more paths than are examined, shares are of the whole crawl, and the answer reports it', async () => {
  const { reader } = readerOf(MAX_PATHS, 4 * MAX_PATHS);
  expect(await urlPatterns.read(reader, scope, input)).toMatchObject({
    complete: false,
    paths_examined: MAX_PATHS,
    total_crawl_requests: 4 * MAX_PATHS,
    patterns: [{ pattern: '/p/{number}', total_requests: MAX_PATHS, pct_of_crawl: 25 }],
  });
});

test('if all paths are examined, their shares add up, with three statements', async () => {
  const { reader, statements } = readerOf(12, 12);
  expect(await urlPatterns.read(reader, scope, input)).toMatchObject({
    complete: true,
    paths_examined: 12,
    total_crawl_requests: 12,
    patterns: [{ total_requests: 12, unique_urls: 12, pct_of_crawl: 100, daily_avg: 1.71 }],
  });
  expect(statements).toEqual([
    'counted_crawlers.proofs',
    'url_patterns.paths',
    'url_patterns.parameter_urls',
  ]);
});

test.each([
  ['before the window', -3 * DAY, 7, 2],
  ['with the window', 0, 7, 2],
  ['inside it', 5 * DAY, 2, 7],
  ['on its last day', 6.9 * DAY, 1, 14],
])(
  'a figure per day divides by the days that can have data: they begin %s',
  async (_, since, days, daily) => {
    const { reader } = readerOf(14, 14, since);
    expect(await urlPatterns.read(reader, scope, input)).toMatchObject({
      data_since: new Date(since).toISOString(),
      days_in_period: days,
      patterns: [{ total_requests: 14, daily_avg: daily }],
    });
  },
);

test('if the paths exceed the size limit of a read, fewer are examined, and the answer reports it', async () => {
  const { reader } = readerOf(20_000, 99_999);
  const limits: unknown[] = [];
  const narrow: ClickHouseReader = {
    async read(query) {
      const { list_limit } = query.params;
      if (query.name !== 'url_patterns.paths') return reader.read(query);
      limits.push(list_limit);
      if (list_limit === MAX_PATHS) throw new AnswerTooLongError('the answer is too long');
      return reader.read(query);
    },
  };
  expect(await urlPatterns.read(narrow, scope, input)).toMatchObject({
    complete: false,
    paths_examined: 20_000,
    total_crawl_requests: 99_999,
  });
  expect(limits).toEqual([MAX_PATHS, 20_000]);
});
