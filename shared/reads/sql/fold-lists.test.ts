import { describe, expect, test } from 'vitest';
import { composeFinest } from './compose-select.js';
import { foldLists, pairWindows } from './fold-lists.js';
import { type MetricName, type Resolved, resolveMetric } from './metrics.js';
import { bots } from './read-tables.js';
import type { Selection } from './selection.js';

const selection = {
  name: 'test',
  from: [bots],
  lists: {
    total: { by: [] },
    names: { by: ['bot_name'], withPast: true },
    verifications: { by: ['verification'] },
  },
  foldedHere: true,
  metrics: ['requests', 'verified_requests', 'status_4xx', 'first_seen', 'last_seen'],
  previous: ['requests'],
  latest: ['bot_operator'],
  distinct: ['bot_name'],
} as const satisfies Selection;

const holds = { ...bots, dimensions: [...bots.dimensions, 'verification' as const] };
const resolved = new Map<MetricName, Resolved>(
  selection.metrics.map((metric) => [metric, resolveMetric(metric, holds)!]),
);

const row = (bot_name: string, requests: number, other: object = {}) => ({
  is_current: 1,
  bot_name,
  bot_operator: 'A',
  verification: 'verified',
  requests,
  status_4xx: 0,
  first_seen: 100,
  last_seen: 200,
  ...other,
});

describe('lists folded from the finest grouping', () => {
  const rows = [
    row('x', 3, { bot_operator: 'Old', last_seen: 150, first_seen: 90 }),
    row('x', 4, { bot_operator: 'New', status_4xx: 4 }),
    row('y', 7, { verification: 'spoofed', last_seen: 180 }),
    row('z', 5, { is_current: 0, first_seen: 1, last_seen: 2 }),
    row('x', 2, { is_current: 0, bot_operator: 'Past', last_seen: 999 }),
  ];
  const [total, names, verifications] = foldLists(selection, resolved, rows);

  test('add up the counts of the window, under the conditions of each metric', () => {
    expect(total).toEqual([
      expect.objectContaining({
        requests: 14,
        verified_requests: 7,
        status_4xx: 4,
        first_seen: 90,
        last_seen: 200,
      }),
    ]);
    expect(verifications).toEqual([
      expect.objectContaining({ verification: 'spoofed', requests: 7, verified_requests: 0 }),
      expect.objectContaining({ verification: 'verified', requests: 7, verified_requests: 7 }),
    ]);
  });

  test('separate the previous window, and keep rows that only it has', () => {
    expect(
      names!.map(({ bot_name, requests, previous_requests }) => [bot_name, requests, previous_requests]),
    ).toEqual([
      ['x', 7, 2],
      ['y', 7, 0],
      ['z', 0, 5],
    ]);
    expect(names![2]).toMatchObject({
      first_seen: 0,
      last_seen: 0,
      latest_bot_operator: '',
      distinct_bot_name: 0,
    });
  });

  test('show a dimension as in the latest request of the window', () => {
    expect(names![0]).toMatchObject({ latest_bot_operator: 'New' });
  });

  test('use the greatest value of several at the same instant, in any input order', () => {
    const tied = [row('x', 1, { bot_operator: 'A' }), row('x', 1, { bot_operator: 'B' })];
    for (const some of [tied, tied.toReversed()]) {
      expect(foldLists(selection, resolved, some)[1]![0]).toMatchObject({ latest_bot_operator: 'B' });
    }
  });

  test('have separate rows for different keys, with any characters in the keys', () => {
    const keyed = { ...selection, lists: { pairs: { by: ['bot_name', 'bot_operator'] } } } as const;
    const rows = [row('a\nb', 1, { bot_operator: 'c' }), row('a', 2, { bot_operator: 'b\nc' })];
    expect(foldLists(keyed, resolved, rows)[0]).toMatchObject([{ requests: 2 }, { requests: 1 }]);
  });

  test('count each value once, only in the window', () => {
    expect(total![0]).toMatchObject({ distinct_bot_name: 2 });
  });

  test('reject figures that do not add up over rows', () => {
    const unique = new Map<MetricName, Resolved>([['client_ips', { stored: 'client_ips', conditions: [] }]]);
    const asked = { ...selection, metrics: ['client_ips'], previous: [] } as const;
    expect(() => foldLists(asked, unique, rows)).toThrow('client_ips');
  });
});

test('windows in separate rows are paired, most requests of the window first', () => {
  const list = { by: ['bot_name'] } as const;
  const of = { ...selection, metrics: ['requests'], latest: [], distinct: [] } as const;
  const rows = [
    { is_current: 0, bot_name: 'z', requests: 9 },
    { is_current: 0, bot_name: 'x', requests: 8 },
    { is_current: 1, bot_name: 'x', requests: 1 },
    { is_current: 1, bot_name: 'y', requests: 2 },
  ];
  expect(pairWindows(of, list, rows)).toMatchObject([
    { bot_name: 'y', requests: 2, previous_requests: 0 },
    { bot_name: 'x', requests: 1, previous_requests: 8 },
    { bot_name: 'z', requests: 0, previous_requests: 9 },
  ]);
});

test('the finest grouping has rows only for dimensions with few values, with any number of statuses in a log', () => {
  const window = { start: 0, end: 3_600_000 };
  const { sql } = composeFinest({ websiteId: 'w', window, filters: {} }, selection, resolved);
  expect(sql.slice(sql.lastIndexOf('GROUP BY'))).toBe(
    'GROUP BY s.is_current, s.bot_name, s.verification, s.bot_operator',
  );
});
