import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApi, TEST_NOW, type TestApi } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { HOUR_MS } from '../../durations.js';

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ clickhouse: engine.clickhouse });
});
afterAll(() => engine?.stop());

it.each(["'", '%20', 'a'])(
  'the longest paths that ingest accepts, of %s, fit into the answer',
  async (piece) => {
    const paths = Array.from(
      { length: 110 },
      (_, index) => `/${index}/${piece.repeat(8_100 / piece.length)}`,
    );
    await insertStored(
      engine.clickhouse,
      paths.map((path, index) =>
        storedRequest({ website_id: test.website.id, timestamp: TEST_NOW - HOUR_MS, path, log_index: index }),
      ),
      { deduplicationToken: piece },
    );
    const { status, body } = await test.read('/paths?limit=100');
    expect([status, body.paths?.length]).toEqual([200, 100]);
  },
);
