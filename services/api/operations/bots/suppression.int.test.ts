import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../shared/durations.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ clickhouse: engine.clickhouse });
  const seen = (website_id: string, bot_name: string) =>
    storedRequest({
      website_id,
      timestamp: TEST_NOW - HOUR_MS,
      is_bot: true,
      traffic_class: 'other_bot',
      bot_name,
      bot_category: 'other',
    });
  await insertStored(engine.clickhouse, [seen(test.website.id, 'ShopScout'), seen('another', 'ForeignBot')], {
    deduplicationToken: 'seen',
  });
});
afterAll(() => engine?.stop());

const suppress = (name: string, method = 'POST') =>
  test.read(`/bots/${encodeURIComponent(name)}/suppress`, { method });

it.each([
  ['of the table, in any case', 'gOOGLEBOT', 'Googlebot'],
  ['that only the logs know', 'shopscout', 'ShopScout'],
])('a bot %s is suppressed under its canonical name', async (_, name, crawler) => {
  const { status, body } = await suppress(name);
  expect([status, body.crawler, body.suppressed]).toEqual([200, crawler, true]);
  expect((await suppress(crawler, 'DELETE')).body).toEqual({ crawler, suppressed: false, until: null });
});

it.each(['Gogglebot', 'ForeignBot', '__proto__'])('%s, which is unknown here, is not found', async (name) => {
  const { status, body } = await suppress(name);
  expect(status).toBe(404);
  expect(body.detail).toMatch(/^Bot not found: /);
});
