import pino from 'pino';
import { expect, test } from 'vitest';
import { startTestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { countDays, forgetDays } from './forget-days.js';

test('a day is removed from requests and every rollup; adjacent days (to the millisecond) and other websites stay', async () => {
  const engine = await startTestClickHouse();
  const { clickhouse } = engine;
  const start = Date.UTC(2026, 9, 31);
  const receivedBy = Date.UTC(2026, 10, 4);
  const times = [start - 1, start, start + 86_399_999, start + 86_400_000];
  const rows = ['a', 'b'].flatMap((website_id) =>
    times.map((timestamp, log_index) =>
      storedRequest({ website_id, timestamp, log_index, received_at: Date.UTC(2026, 10, 3) }),
    ),
  );
  await insertStored(clickhouse, rows, { deduplicationToken: 'all', retentionDays: 25_000 });
  const days = { websiteId: 'a', from: '2026-10-31', to: '2026-10-31', source: null, receivedBy };
  let ids = 0;
  const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }) };
  const before = await countDays(clickhouse, days);
  expect(before).toMatchObject({ requests: 2, traffic_per_hour: 2, estimates_per_day: 1 });
  expect(await forgetDays(clickhouse, days, options)).toBe(2);
  expect(new Set(Object.values(await countDays(clickhouse, days)))).toEqual(new Set([0]));
  expect(await countDays(clickhouse, { ...days, websiteId: 'b' })).toEqual(before);
  const around = await countDays(clickhouse, { ...days, from: '2026-10-30', to: '2026-11-01' });
  expect(around).toMatchObject({ requests: 2, traffic_per_hour: 2, estimates_per_day: 2 });
  await engine.stop();
});
