import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDailyBuild } from '../../../services/jobs/importance/write-daily-build.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS } from '../../durations.js';
import { countDays, readStoredDays } from './counted-days.js';
import { readImportanceBuild } from './page-importance-sql.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

const now = Date.now();
const TWO_DAYS_AGO = now - 2 * DAY_MS;

async function storePage(websiteId: string): Promise<void> {
  const row = storedRequest({ ...googlebot, website_id: websiteId, timestamp: TWO_DAYS_AGO, path: '/a' });
  await insertStored(engine.clickhouse, [row], { deduplicationToken: websiteId });
}

/** Fills one rollup from a row, while the other rollups do not have the row yet. */
async function fillRollup(
  websiteId: string,
  table: 'bots_per_hour' | 'crawler_paths_per_hour',
): Promise<void> {
  const path = table === 'bots_per_hour' ? ['', ''] : [', path', ", '/a'"];
  await engine.clickhouse.command(
    `INSERT INTO ${table} (website_id, hour, bot_category, bot_name, bot_family, bot_verification, requests, expires, last_day${path[0]})
SELECT {website_id: String}, toStartOfHour(t), 'search', 'Googlebot', 'Google', 'verified', 1, today() + 30, today() + 30${path[1]}
FROM (SELECT fromUnixTimestamp64Milli({at: Int64}, 'UTC') AS t)`,
    { website_id: websiteId, at: TWO_DAYS_AGO },
  );
}

const isStale = async (websiteId: string) =>
  (await readImportanceBuild(engine.clickhouse, websiteId, now))!.stale;

test('both rollups have the same count for each day', async () => {
  await storePage('whole');
  const counted = await countDays(engine.clickhouse, 'whole', now);
  expect(counted).toEqual([{ day: Math.floor(TWO_DAYS_AGO / DAY_MS), requests: 1 }]);
  expect(await readStoredDays(engine.clickhouse, 'whole', now)).toEqual(counted);
  await writeDailyBuild(engine.clickhouse, { websiteId: 'whole', buildId: 'b', now });
  expect(await isStale('whole')).toBe(false);
});

test('a build made while an insert had reached only one of two rollups is stale', async () => {
  await storePage('torn');
  await fillRollup('torn', 'bots_per_hour');
  await writeDailyBuild(engine.clickhouse, { websiteId: 'torn', buildId: 'b', now });
  await fillRollup('torn', 'crawler_paths_per_hour');
  expect(await isStale('torn')).toBe(true);
  await writeDailyBuild(engine.clickhouse, { websiteId: 'torn', buildId: 'c', now: now + 1 });
  expect(await isStale('torn')).toBe(false);
});

test('a build that had the rows of an insert before the short rollup is current once the short rollup has them', async () => {
  await storePage('ahead');
  await fillRollup('ahead', 'crawler_paths_per_hour');
  await writeDailyBuild(engine.clickhouse, { websiteId: 'ahead', buildId: 'b', now });
  expect(await isStale('ahead')).toBe(true);
  await fillRollup('ahead', 'bots_per_hour');
  expect(await isStale('ahead')).toBe(false);
});
