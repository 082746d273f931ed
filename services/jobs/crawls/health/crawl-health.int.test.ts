import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';
import { readCrawlHealth } from './crawl-health.js';

const NOW = Date.UTC(2026, 10, 21, 15);

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

/** The templates of pages `/<folder>/page-…` with these times, each fetched once. */
async function templatesOf(websiteId: string, times: Record<string, readonly number[]>) {
  const rows = Object.entries(times).flatMap(([folder, each]) =>
    each.map((time_taken_ms, n) => ({ path: `/${folder}/${1_000 + n}`, time_taken_ms })),
  );
  await insertStored(
    engine.clickhouse,
    rows.map((row, log_index) =>
      storedRequest({ ...googlebot, website_id: websiteId, timestamp: NOW - HOUR_MS, log_index, ...row }),
    ),
    { deduplicationToken: websiteId },
  );
  const scope = { websiteId, window: { start: NOW - DAY_MS, end: NOW }, filters: {} };
  const { templates } = await readCrawlHealth(engine.clickhouse, scope);
  return Object.fromEntries(
    templates.map(({ pattern, ...figuresByName }) => [pattern.split('/')[1], figuresByName]),
  );
}

const of = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('one very slow page does not make its template slow, but a slow third does', async () => {
  const figuresByName = await templatesOf('shop', {
    outlier: [...of(39, 100), 120_000],
    bimodal: [...of(26, 100), ...of(14, 2_500)],
    steady: of(40, 900),
  });
  expect(figuresByName).toMatchObject({
    outlier: { p75Ms: 100, requests: 40 },
    bimodal: { p75Ms: 2_500, meanMs: 940 },
    steady: { p75Ms: 900, meanMs: 900 },
  });
  expect(figuresByName.outlier!.meanMs).toBeGreaterThan(3_000);
  expect(Object.keys(figuresByName)).toEqual(['bimodal', 'steady', 'outlier']);
});

test('a template with fewer than twenty timed requests is left out', async () => {
  expect(await templatesOf('few', { nineteen: of(19, 5_000), twenty: of(20, 300) })).toEqual({
    twenty: { p75Ms: 300, meanMs: 300, requests: 20, example: expect.stringContaining('/twenty/') },
  });
});
