import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { TEST_NOW } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { readActiveWebsites } from './active-website-rows.js';
import { insertJobRun, readJobRuns } from './job-runs.js';

/** The reads by which the jobs service finds due jobs and active websites. */

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

test('websites with requests in the last 90 days are active since the last of these days, in any number', async () => {
  const received = (website_id: string, days: number) =>
    storedRequest({ website_id, received_at: TEST_NOW - days * DAY_MS, timestamp: TEST_NOW - 99 * DAY_MS });
  const rows = [
    received('old', 90),
    received('new', 89),
    received('new', 88),
    received('today', 0),
    received('old-2', 200),
  ];
  await insertStored(
    engine.clickhouse,
    rows.map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'active' },
  );
  const active = await readActiveWebsites(engine.clickhouse, TEST_NOW, 1);
  const midnight = TEST_NOW - (TEST_NOW % DAY_MS);
  expect(active).toEqual(
    new Map([
      ['new', midnight - 88 * DAY_MS],
      ['today', midnight],
    ]),
  );
});

test('the last run of each job is read back', async () => {
  const run = { websiteId: 'w', job: 'sitemaps', startedAt: TEST_NOW, finishedAt: TEST_NOW + 5 } as const;
  await insertJobRun(engine.clickhouse, { ...run, failures: 2, outcome: 'failed', problem: 'timeout' });
  const later = { ...run, startedAt: TEST_NOW + 100, finishedAt: TEST_NOW + 107, failures: 0 };
  await insertJobRun(engine.clickhouse, { ...later, outcome: 'done', problem: '' });
  expect(await readJobRuns(engine.clickhouse)).toEqual([later]);
});

test('the last runs of any number of websites are read in pages, each once', async () => {
  await engine.clickhouse.command('TRUNCATE TABLE job_runs');
  await engine.clickhouse.command(`INSERT INTO job_runs
SELECT concat('web_', toString(intDiv(number, 3))), ['robots', 'sitemaps', 'page_importance'][number % 3 + 1],
  toDateTime64('2026-11-20 00:00:00', 3, 'UTC'), toDateTime64('2026-11-20 00:00:01', 3, 'UTC'), 'done', 0, ''
FROM numbers(30)`);
  const bounded: ClickHouseReader = { read: (query) => engine.clickhouse.read({ ...query, mostRows: 6 }) };
  const runs = await readJobRuns(bounded, 4);
  expect(runs).toHaveLength(30);
  expect(new Set(runs.map(({ websiteId, job }) => `${websiteId} ${job}`)).size).toBe(30);
});
