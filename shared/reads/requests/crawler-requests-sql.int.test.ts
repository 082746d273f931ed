import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { readCrawlerRequests } from './crawler-requests-sql.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

const now = Date.now();
const scope = { websiteId: 'w', window: { start: now - 3_600_000, end: now }, filters: {} };

test.each([true, false])(
  'a page counted from the end equals the page counted from the start (slowest first: %s)',
  async (slowestFirst) => {
    // Many of one instant and of one duration: their places in the log decide.
    const rows = Array.from({ length: 23 }, (_, log_index) =>
      storedRequest({
        ...googlebot,
        website_id: 'w',
        timestamp: now - 60_000 - (log_index % 3) * 1_000,
        time_taken_ms: log_index % 4,
        path: `/${log_index}`,
        log_index,
      }),
    );
    await insertStored(engine.clickhouse, rows, { deduplicationToken: 'one' });
    const read = async (page: { limit: number; offset: number; fromEnd?: boolean }) =>
      (await readCrawlerRequests(engine.clickhouse, { scope, slowestFirst, ...page })).map(
        ({ path }) => path,
      );
    const all = await read({ limit: 100, offset: 0 });
    expect(all).toHaveLength(23);
    expect(await read({ limit: 3, offset: 0, fromEnd: true })).toEqual(all.slice(20));
    expect(await read({ limit: 5, offset: 3, fromEnd: true })).toEqual(all.slice(15, 20));
  },
);
