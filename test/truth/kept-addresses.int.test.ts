import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteRead } from '../../services/api/operation/operation.js';
import { getIpRequests } from '../../services/api/operations/requests/get-ip-requests.js';
import { searchRequests } from '../../services/api/operations/requests/search-requests.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { insertStored } from '../harness/stored-requests.js';
import { NOW, randomRequests } from './random-requests.js';
import { differences } from './same-answer.js';
import { crawlerReads, segmentReads, type TrueRead, unsegmentedReads } from './true-reads.js';
import { type TruthWorld, truthWorldOf } from './truth-world.js';

/**
 * Answers of a website whose addresses have expired before its requests (docs/privacy.md). The rows arrived
 * days ago by the engine's clock.
 */

const ADDRESS_DAYS = 5;
const week = { start: '2026-10-28', end: '2026-11-03' };
const cut = { start: '2026-10-28T10:30:00Z', end: '2026-11-02T12:20:00Z' };

/** As the enricher writes the rows of a website whose addresses expire before its rows: no claim is pending. */
const requests = randomRequests('shop', 4_000, 11).map((request) => ({
  ...request,
  received_at: NOW,
  ...(request.bot_verification === 'pending' ? { bot_verification: 'unverifiable' as const } : {}),
}));

const reads = [...segmentReads, ...unsegmentedReads, ...crawlerReads];
const before = new Map<string, unknown>();
let world: TruthWorld;

const ask = async ({ operation, parameters }: Pick<TrueRead, 'operation' | 'parameters'>, given: object) =>
  (await operation.run(
    operation.query.parse({ ...given, ...parameters }) as never,
    world.contextOf('shop'),
  )) as Record<string, unknown>;

beforeAll(async () => {
  const engine = await startTestClickHouse();
  world = truthWorldOf(engine, {
    requests: { shop: requests },
    verdicts: [],
    now: NOW,
    domain: 'www.example.com',
  });
  const { clickhouse } = engine;
  const tables = ['requests', 'client_ips_per_hour'];
  for (const table of tables) await clickhouse.command(`SYSTEM STOP MERGES ${table}`);
  const kept = { deduplicationToken: 'all', retentionDays: 25_000, addressDays: ADDRESS_DAYS };
  await insertStored(clickhouse, requests, kept);
  for (const read of reads) before.set(read.name, await ask(read, week));
  for (const table of tables) {
    await clickhouse.command(`SYSTEM START MERGES ${table}`);
    await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  }
}, 300_000);
afterAll(() => world?.stop());

/** Reads that name addresses, follow an address between pages, or count visits from single requests. */
const byAddress =
  /^(client_ip|ips|ip_ranges|sample_ips|networks|bounce\w*|visits_judged|next_paths|follow\w*|human_visits|ai_share_pct|share_of_human_traffic_pct)$/;

function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !byAddress.test(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, withoutAddresses(each)]));
}

describe('over whole days', () => {
  test.each(reads.map((read) => [read.name, read] as const))('%s counts as before', async (name, read) => {
    const now = await ask(read, week);
    expect(differences(withoutAddresses(now), withoutAddresses(before.get(name)))).toEqual([]);
  });
});

test('the placeholder of expired addresses is not counted or listed, also over cut hours', async () => {
  for (const window of [week, cut])
    for (const read of reads) {
      const text = JSON.stringify(await ask(read, window));
      expect(text, read.name).not.toMatch(/"::|"0\.0\.0\.0/);
    }
});

test('lists of addresses are empty', async () => {
  const ips = reads.find(({ name }) => name === 'ips') as TrueRead;
  expect(await ask(ips, week)).toMatchObject({ ips: [], ip_ranges: [] });
  expect((before.get('ips') as { ips: unknown[] }).ips).not.toEqual([]);
});

describe('single requests', () => {
  const search = searchRequests as unknown as WebsiteRead;

  test('exist without their address', async () => {
    const { requests: rows } = await ask({ operation: search, parameters: {} }, { ...week, limit: '50' });
    expect(rows).toHaveLength(50);
    expect(new Set((rows as { client_ip: string }[]).map(({ client_ip }) => client_ip))).toEqual(
      new Set(['']),
    );
  });

  test.each(['::', requests[0]!.client_ip])('are not found by the address %s', async (client_ip) => {
    expect(await ask({ operation: search, parameters: { client_ip } }, week)).toMatchObject({ requests: [] });
    const { total } = (await getIpRequests.run(
      { ...getIpRequests.query.parse({ hours: '168' }), ip_address: client_ip } as never,
      world.contextOf('shop'),
    )) as { total: number };
    expect(total).toBe(0);
  });
});
