import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { hosts } from './hosts.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const scope = {
  websiteId: 'w',
  window: { start: NOON - 86_400_000, end: NOON },
  filters: {},
} as Parameters<typeof hosts.read>[1];

test('figures are read only for the listed hosts, regardless of the number of invented hosts', async () => {
  const asked = new Map<string, { sql: string; params: Readonly<Record<string, unknown>> }>();
  const rowsOf: Record<string, unknown[]> = {
    'hosts.total': [{ list: 0, requests: 9, distinct_host: 1_100_000 }],
    'hosts.list': [
      { list: 0, host: 'www.example.com', requests: 5 },
      { list: 0, host: 'made.up.example', requests: 1 },
    ],
  };
  const reader = {
    async read({ name, sql, params }) {
      asked.set(name, { sql, params: params as Record<string, unknown> });
      return (rowsOf[name] ?? []) as never;
    },
  } satisfies ClickHouseReader;
  const answer = await hosts.read(reader, scope, { limit: 2, domain: 'example.com' });
  expect(answer).toMatchObject({ total_requests: 9, unique_hosts: 1_100_000, unlisted_requests: 3 });
  for (const name of ['hosts.total', 'hosts.list'])
    expect(asked.get(name)!.sql).not.toMatch(/bytes_sent|traffic_class|last_seen/);
  expect(Object.values(asked.get('hosts.figures')!.params)).toContainEqual([
    'www.example.com',
    'made.up.example',
  ]);
});
