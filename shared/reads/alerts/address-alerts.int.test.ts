import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { insertAlert, testAlert } from '../../../test/harness/alerts.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { readAlertedAddresses } from './address-alerts.js';
import { insertAlerts } from './alert-writes.js';

/** Addresses that the alerts of a window name. */

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 400_000);
afterAll(() => engine?.stop());

const websiteId = 'web_1';
const now = Date.now();
const window = { start: now - DAY_MS, end: now };

test('alerts seen in the window are read, with their newest evidence', async () => {
  const probe = (subject: string, createdAt: number, lastSeen = createdAt) =>
    testAlert({
      websiteId,
      type: 'hacking_probe',
      subject,
      createdAt,
      lastSeen,
      details: { sample_paths: [] },
    });
  await insertAlerts(engine.clickhouse, [
    probe('192.0.2.1', now - 2 * DAY_MS),
    probe('192.0.2.2', now - 3 * DAY_MS, now - HOUR_MS),
    probe('192.0.2.3', now - HOUR_MS),
    probe('192.0.2.4', now + HOUR_MS),
  ]);
  // Seen first before the window and again in it: two rows of one alert.
  await insertAlert(engine.clickhouse, { ...probe('192.0.2.5', now - 2 * DAY_MS), details: { old: true } });
  await insertAlert(engine.clickhouse, {
    ...probe('192.0.2.5', now - 2 * DAY_MS, now - 2 * HOUR_MS),
    details: { sample_paths: ['/.env'] },
  });
  const found = await readAlertedAddresses(engine.clickhouse, { websiteId, window, filters: {} });
  expect([...found.keys()].sort()).toEqual(['192.0.2.2', '192.0.2.3', '192.0.2.5']);
  expect(found.get('192.0.2.5')).toMatchObject({ samplePaths: ['/.env'], lastSeen: now - 2 * HOUR_MS });
}, 60_000);

test('alerts are stored longer than they can be listed, and acknowledgements longer than alerts', async () => {
  const tables = await engine.clickhouse.read({
    name: 'test.ttl',
    sql: `SELECT name, extract(engine_full, 'toIntervalDay\\((\\d+)\\)') AS days
FROM system.tables
WHERE database = currentDatabase() AND name IN ('alerts', 'alert_acknowledgements')`,
    params: {},
    row: z.object({ name: z.string(), days: z.string() }),
  });
  const daysOf = (name: string) => Number(tables.find((table) => table.name === name)?.days);
  expect(daysOf('alerts')).toBeGreaterThan(365);
  expect(daysOf('alert_acknowledgements')).toBeGreaterThan(daysOf('alerts'));
}, 60_000);
