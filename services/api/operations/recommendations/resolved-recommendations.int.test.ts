import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { insertAlert } from '../../../../test/harness/alerts.js';
import { HOUR_AGO, storeWorld } from '../../../../test/harness/api/recommendations.js';
import { createTestApi, TEST_NOW } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../../test/harness/stored-requests.js';

let engine: TestClickHouse;

beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

describe('a resolved recommendation', () => {
  it('is hidden and counted, until it is reopened, has an alert an hour later, or is found again a day later', {
    timeout: 240_000,
  }, async () => {
    const own = await createTestApi({ reader: engine.clickhouse });
    await storeWorld(engine, own.website.id, '192.0.2');
    const resolve = (key: string) =>
      own.request(`/public/v1/websites/${own.website.id}/recommendations/resolve`, {
        method: 'POST',
        body: { key },
      });
    const keysOf = async (query = '?hours=240') => {
      const { body } = await own.read(`/recommendations${query}`);
      const lists = [body.ips_to_block, body.paths_404, body.unverified_bots, body.slow_paths];
      return { keys: lists.flat().map(({ key }) => key), resolved: body.resolved_count };
    };
    const all = ['ip:192.0.2.9', '404:/old-page/192.0.2', 'unverified:Googlebot:192.0.2.30', 'slow:/slow'];
    for (const key of all) expect((await resolve(key)).status).toBe(200);
    const hidden = await keysOf();
    expect(hidden.resolved).toBe(4);
    for (const key of all) expect(hidden.keys).not.toContain(key);
    expect((await own.read('/recommendations/slow-paths')).body.items).toEqual([]);

    const key = encodeURIComponent('404:/old-page/192.0.2');
    const path = `/public/v1/websites/${own.website.id}/recommendations/resolve/${key}`;
    expect((await own.request(path, { method: 'DELETE' })).status).toBe(200);
    expect(await keysOf()).toMatchObject({
      resolved: 3,
      keys: expect.arrayContaining(['404:/old-page/192.0.2']),
    });
    await resolve('404:/old-page/192.0.2');

    const seenAgain = (lastSeen: number) =>
      insertAlert(engine.clickhouse, {
        websiteId: own.website.id,
        alertId: 'probe',
        type: 'hacking_probe',
        subject: '192.0.2.9',
        createdAt: HOUR_AGO,
        lastSeen,
      });
    own.advance(2 * HOUR_MS);
    await seenAgain(TEST_NOW + HOUR_MS);
    expect(await keysOf()).toMatchObject({ resolved: 4 });
    await seenAgain(TEST_NOW + HOUR_MS + MINUTE_MS);
    const alerted = await keysOf();
    expect(alerted.resolved).toBe(3);
    expect(alerted.keys).toContain('ip:192.0.2.9');

    own.advance(3 * DAY_MS);
    const later = (timestamp: number, given: Partial<StoredRequest>, times = 1) =>
      insertStored(
        engine.clickhouse,
        Array.from({ length: times }, (_, log_index) =>
          storedRequest({ website_id: own.website.id, timestamp, log_index, ...given }),
        ),
        { deduplicationToken: `${own.website.id} ${timestamp} ${given.path}` },
      );
    const dayLater = TEST_NOW + DAY_MS;
    const impostor = { ...googlebot, bot_verification: 'spoofed', client_ip: '192.0.2.30' } as const;
    await later(dayLater - MINUTE_MS, { path: '/old-page/192.0.2', status: 404 });
    // Rejected: the client is blocked.
    await later(dayLater + DAY_MS, { ...impostor, path: '/x', status: 403 });
    await later(dayLater + DAY_MS, { path: '/slow', time_taken_ms: 20 }, 9);
    expect(await keysOf()).toMatchObject({ resolved: 3 });
    await later(dayLater + MINUTE_MS, { path: '/old-page/192.0.2', status: 404 });
    await later(dayLater + DAY_MS + MINUTE_MS, { path: '/slow', time_taken_ms: 5_000 }, 9);
    await later(dayLater + DAY_MS + MINUTE_MS, { ...impostor, path: '/y' });
    const found = await keysOf();
    expect(found.resolved).toBe(0);
    expect(found.keys).toEqual(expect.arrayContaining(all));
  });
});
