import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../store/client.js';
import { robots } from './robots.js';

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

test('the answer shows the file in force and the versions before it', async () => {
  const reader = { read: async ({ name }: { name: string }) => rowsOf.get(name) ?? [] };
  const scope = { websiteId: 'shop', window: { start: NOW - 10_000, end: NOW }, filters: {} };
  const input = { domain: 'example.com', fetchesWebsites: true };
  const answer = await robots.read(reader as unknown as ClickHouseReader, scope, input);
  expect(answer.rule_groups).toEqual([{ user_agent: '*', rules: [{ type: 'disallow', path: '/cart' }] }]);
  expect(answer.history).toHaveLength(3);
});
