import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSummarised } from '../../../services/jobs/notifications/messages/alert-traces.js';
import { insertAlert, testAlert } from '../../../test/harness/alerts.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import {
  deliveryIdOf,
  insertDeliveries,
  type NewDelivery,
  queueDeliveries,
  readAlertDeliveries,
  readDelivery,
  readDueDeliveries,
  readImportingWebsites,
  readWaitingImported,
} from './notification-deliveries.js';

/** Selects due messages from a table with many waiting and many sent ones. */

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 400_000);
afterAll(() => engine?.stop());

const NOW = Date.parse('2026-11-22T12:00:00Z');
const message = (given: Partial<NewDelivery>): NewDelivery => ({
  websiteId: 'web_1',
  organisationId: 'org_1',
  channel: 'webhook',
  target: 'hook.example#1',
  alertId: 'a',
  content: '{}',
  ...given,
});

test('a backlog does not delay the messages of others: organisations, websites of one organisation, e-mail behind webhooks', async () => {
  const backlog = Array.from({ length: 300 }, (_, website) =>
    Array.from({ length: 70 }, (__, index) =>
      message({ websiteId: `web_h${website}`, organisationId: 'org_hostile', alertId: `a${index}` }),
    ),
  ).flat();
  await queueDeliveries(engine.clickhouse, backlog, NOW - HOUR_MS);
  const late = [
    message({ websiteId: 'web_v', organisationId: 'org_victim', channel: 'email', target: 'usr_1' }),
    message({ websiteId: 'web_n', organisationId: 'org_hostile', alertId: 'of a neighbour' }),
    message({ websiteId: 'web_h0', organisationId: 'org_hostile', channel: 'email', target: 'usr_2' }),
  ];
  await queueDeliveries(engine.clickhouse, late, NOW - MINUTE_MS);
  const due = await readDueDeliveries(engine.clickhouse, NOW);
  const place = due.findIndex(({ organisationId }) => organisationId === 'org_victim');
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(3);
  const ids = new Set(due.map(({ id }) => id));
  expect(ids.has(deliveryIdOf(late[2]!))).toBe(true);
  expect(due.filter(({ organisationId }) => organisationId === 'org_hostile')).toHaveLength(201);
}, 400_000);

test('a message is due from its time on, until its last revision changes that', async () => {
  const [one, other] = [message({ websiteId: 'web_2' }), message({ websiteId: 'web_2', alertId: 'b' })];
  const due = async (now: number) =>
    (await readDueDeliveries(engine.clickhouse, now))
      .filter(({ websiteId }) => websiteId === 'web_2')
      .map(({ id }) => id);
  await queueDeliveries(engine.clickhouse, [one, other], NOW);
  expect(await due(NOW - 1)).toEqual([]);
  expect(await due(NOW)).toEqual([one, other].map(deliveryIdOf).sort());
  const stored = await readDelivery(engine.clickhouse, { websiteId: 'web_2', id: deliveryIdOf(one) });
  await insertDeliveries(engine.clickhouse, [
    { ...stored!, revision: 1, status: 'pending', attempts: 1, nextAttemptAt: NOW + MINUTE_MS },
  ]);
  expect(await due(NOW)).toEqual([deliveryIdOf(other)]);
  expect(await due(NOW + MINUTE_MS)).toEqual([other, one].map(deliveryIdOf));
  await insertDeliveries(engine.clickhouse, [{ ...stored!, revision: 2, status: 'sent', content: '' }]);
  // As after a repeated record.
  await queueDeliveries(engine.clickhouse, [one], NOW);
  expect(await due(NOW + MINUTE_MS)).toEqual([deliveryIdOf(other)]);
}, 60_000);

test('a type that only a later release knows does not stop the read', async () => {
  const websiteId = 'web_3';
  const known = await insertAlert(engine.clickhouse, { websiteId, createdAt: NOW });
  const later = testAlert({ websiteId, createdAt: NOW, type: 'of_tomorrow' as never });
  await insertAlert(engine.clickhouse, later);
  await queueDeliveries(
    engine.clickhouse,
    [known, later].map(({ alertId }) => message({ websiteId, alertId })),
    NOW,
  );
  const found = await readAlertDeliveries(engine.clickhouse, { websiteId, from: NOW, to: NOW + HOUR_MS });
  expect(found.map(({ type }) => type)).toEqual(['error_rate']);
}, 60_000);

test('an alert of imported logs is never due: it waits for its summary, which has the alerts whose rows name it', async () => {
  const { clickhouse } = engine;
  const websiteId = 'web_4';
  const details = { from_import: true, hours_old: 30 };
  const alerts = await Promise.all(
    [1, 2, 3].map((minute) =>
      insertAlert(clickhouse, { websiteId, details, createdAt: NOW - 30 * HOUR_MS + minute * MINUTE_MS }),
    ),
  );
  const imported = alerts.map(({ alertId }) =>
    message({ websiteId, channel: 'imported', target: '', alertId, content: '' }),
  );
  await queueDeliveries(clickhouse, imported.slice(0, 2), NOW - MINUTE_MS);
  await queueDeliveries(clickhouse, imported.slice(2), NOW);
  const due = await readDueDeliveries(clickhouse, NOW + HOUR_MS);
  expect(due.filter((one) => one.websiteId === websiteId)).toEqual([]);
  expect(await readImportingWebsites(clickhouse)).toEqual([websiteId]);
  const waiting = await readWaitingImported(clickhouse, websiteId);
  expect(waiting.map(({ alertId }) => alertId)).toEqual(alerts.map(({ alertId }) => alertId));
  const named = waiting.slice(0, 2).map((row) => ({ ...row, revision: 1, content: 'first' }));
  await insertDeliveries(clickhouse, named);
  // As after a repeated record.
  await queueDeliveries(clickhouse, imported.slice(0, 1), NOW);
  const summarised = await readSummarised(clickhouse, { websiteId, summary: 'first' });
  expect(summarised.map(({ alertId, fromImport }) => [alertId, fromImport]).sort()).toEqual(
    alerts.slice(0, 2).map(({ alertId }) => [alertId, true]),
  );
  const sent = [...named, waiting[2]!].map((row) => ({ ...row, revision: 2, status: 'sent' as const }));
  await insertDeliveries(clickhouse, sent);
  expect(await readWaitingImported(clickhouse, websiteId)).toEqual([]);
  expect(await readImportingWebsites(clickhouse)).toEqual([]);
}, 60_000);
