import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../../shared/durations.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../../shared/store/store-errors.js';
import { HOUR_AGO, powers, score, storeWorld } from '../../../../test/harness/api/recommendations.js';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { googlebot } from '../../../../test/harness/stored-requests.js';

let engine: TestClickHouse;
let test: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  await storeWorld(engine, test.website.id, '203.0.113');
});
afterAll(() => engine?.stop());

describe('the details', () => {
  it('list the clients of pages not found', async () => {
    const { body } = await test.read('/recommendations/paths-404');
    expect(body).toMatchObject({ window_days: 1, error: null, data_buffering: false });
    expect(body.items).toHaveLength(4);
    expect(body.items[0]).toEqual({
      key: '404:/old-page/203.0.113',
      score: score(20 * powers(6 + 3 * 4)),
      reason_badges: ['people', 'search_crawlers'],
      path: '/old-page/203.0.113',
      request_count: 10,
      last_seen: new Date(HOUR_AGO).toISOString(),
      human_requests: 6,
      search_bot_requests: 4,
      ai_bot_requests: 0,
      verified_bot_requests: 4,
      verified_bot_share_pct: 40,
      sample_user_agents: [
        'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
        googlebot.user_agent,
      ],
      first_seen: new Date(HOUR_AGO - 5 * MINUTE_MS).toISOString(),
      served_requests: 0,
    });
  });

  it('show the time distribution of slow pages', async () => {
    const { body } = await test.read('/recommendations/slow-paths');
    expect(body.items).toEqual([
      expect.objectContaining({
        key: 'slow:/slow',
        avg_latency_ms: 2_500,
        timed_requests: 10,
        max_latency_ms: 4_500,
        human_requests: 8,
        verified_bot_share_pct: 20,
      }),
    ]);
    expect(body.items[0].p95_latency_ms).toBeGreaterThan(4_000);
  });

  it('show the requests of impostors, and the real share of the claimed bot', async () => {
    const { body } = await test.read('/recommendations/unverified-bots');
    expect(body.items.map(({ key }: { key: string }) => key)).toEqual([
      'unverified:Googlebot:203.0.113.30',
      'unverified:Googlebot:203.0.113.32',
      'unverified:GPTBot:203.0.113.31',
    ]);
    const googlebots = 25 + 3 + 15 + 4 + 2;
    expect(body.items[0]).toMatchObject({
      request_count: 25,
      bot_verified_share_pct: score((100 * (15 + 4 + 2)) / googlebots),
      sample_user_agents: [googlebot.user_agent],
      sample_paths: ['/shop'],
      unique_paths: 1,
      refused_requests: 0,
    });
    expect(body.items[2]).toMatchObject({
      request_count: 12,
      refused_requests: 12,
      bot_verified_share_pct: 0,
    });
  });

  it.each(['paths-404', 'slow-paths', 'unverified-bots'])(
    '%s: a query that times out is empty with the error timeout',
    async (path) => {
      const late: ClickHouseReader = {
        read: () => Promise.reject(new StoreTimeoutError('out of time')),
      };
      const slow = await createTestApi({ reader: late });
      const { status, body } = await slow.read(`/recommendations/${path}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ items: [], error: 'timeout', window_days: 1, data_buffering: false });
    },
  );

  it('a continuing query has the error timeout, and a repeat of the call gets its result', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const patient: ClickHouseReader = {
      async read(query) {
        if (query.restsOn !== undefined) return engine.clickhouse.read(query);
        if (query.scan === undefined) throw new StoreTimeoutError('longer than everyday reads may take');
        await held;
        return engine.clickhouse.read(query);
      },
    };
    const slow = await createTestApi({ reader: patient, readDeadlineMs: 5 });
    await storeWorld(engine, slow.website.id, '192.0.2');
    const path = '/recommendations/paths-404';
    const first = await slow.read(path);
    expect(first.body).toMatchObject({ items: [], error: 'timeout', data_buffering: true });
    expect(first.headers.get('Retry-After')).not.toBeNull();
    release();
    await expect
      .poll(async () => (await slow.read(path)).body, { timeout: 30_000, interval: 200 })
      .toMatchObject({
        error: null,
        data_buffering: false,
        items: [{ path: '/old-page/192.0.2' }, {}, {}, {}],
      });
  });
});
