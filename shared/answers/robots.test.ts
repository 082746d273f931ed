import { expect, test, vi } from 'vitest';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { parseRobots } from '../robots/parse-robots.js';
import { robots } from './robots.js';

vi.mock('../robots/parse-robots.js', async (original) => {
  const real = await original<typeof import('../robots/parse-robots.js')>();
  return { ...real, parseRobots: vi.fn(real.parseRobots) };
});

const NOW = Date.UTC(2026, 10, 21);
const CURRENT = 'user-agent: *\ndisallow: /cart';

const fetchOf = (hash: string, at: number) => ({
  ...{ fetchedAt: at, outcome: 'found', httpStatus: 200, hash, problem: '' },
  finalUrl: 'https://example.com/robots.txt',
});

const rowsOf = new Map<string, unknown[]>([
  ['robots.fetches', [fetchOf('b', NOW - 1_000), fetchOf('a', NOW - 5_000), fetchOf('b', NOW - 9_000)]],
  [
    'robots.versions',
    [
      { hash: 'a', content: 'user-agent: *\ndisallow: /old', is_truncated: false },
      { hash: 'b', content: CURRENT, is_truncated: false },
    ],
  ],
]);

test('the file in force, which is told and held against requests, is parsed once', async () => {
  const reader = { read: async ({ name }: { name: string }) => rowsOf.get(name) ?? [] };
  const scope = { websiteId: 'shop', window: { start: NOW - 10_000, end: NOW }, filters: {} };
  const input = { domain: 'example.com', fetchesWebsites: true };
  const answer = await robots.read(reader as unknown as ClickHouseReader, scope, input);
  expect(answer.rule_groups).toEqual([{ user_agent: '*', rules: [{ type: 'disallow', path: '/cart' }] }]);
  expect(answer.history).toHaveLength(3);
  const parsed = vi.mocked(parseRobots).mock.calls.map(([text]) => text);
  expect(parsed.filter((text) => text === CURRENT)).toHaveLength(1);
  expect(parsed).toHaveLength(2);
});
