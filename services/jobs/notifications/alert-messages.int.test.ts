import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { eraseOwned } from '../../../deploy/admin/rows/erase-rows.js';
import { showWebhookSecret } from '../../../deploy/admin/server/show-webhook-secret.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { readWaitingImported } from '../../../shared/reads/notifications/notification-deliveries.js';
import { importedAlert } from '../../../test/harness/jobs/alert.js';
import { type Call, PATIENCE, useNotifications } from '../../../test/harness/jobs/notifications-store.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { storedTexts } from '../../../test/harness/stored-texts.js';
import { readAlertsBetween } from './messages/alert-traces.js';
import { webhookHeaders } from './sign-webhook.js';

const { set, open, putInSummaries, fire, receiver, desk, given } = useNotifications();

describe('an alert', () => {
  test('reaches people by e-mail and a program by a signed webhook, once, even if the topic is read again', async () => {
    const { clickhouse, control, ring, smtp, websiteId } = given();
    const { url, port, calls } = await receiver();
    const { secret } = await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    await set({
      email_notifications_enabled: true,
      webhook_notifications_enabled: true,
      webhook_urls: [url],
    });
    const stop = await open([port]);
    const evil = 'x\r\nBcc: all@shop.example\r\n\r\n<script>alert(1)</script>';
    const alert = await fire({ message: evil, subject: evil, details: { path: evil } });
    await expect.poll(() => [smtp.taken.length, calls.length], PATIENCE).toEqual([1, 1]);

    const [mail] = smtp.taken;
    expect(mail!.to).toEqual(['jo@shop.example']);
    expect(mail!.headers.has('bcc')).toBe(false);
    expect(mail!.headers.get('subject')![0]).toMatch(/^\[warning\] shop\.example: x Bcc: /);
    expect(mail!.html).not.toContain('<script');

    const [{ headers, body, url: asked }] = calls as [Call];
    expect(asked).toBe('/hook?token=s3cret');
    const { id, alert: told, website } = JSON.parse(body);
    expect(told).toMatchObject({ alert_id: alert.alertId, message: evil, details: { path: evil } });
    expect([told.alert_id, website.domain]).toEqual([alert.alertId, 'shop.example']);
    const now = Number(headers['loglane-webhook-timestamp']) * 1_000;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      ...webhookHeaders({ id, body, secret, now }),
    });
    await expect
      .poll(async () => (await desk().list({ status: 'sent', websiteId })).length, PATIENCE)
      .toBe(2);
    await stop();

    // A second group reads the topic from its beginning, as after a lost commit.
    const again = createMemoryEventLog(2);
    await open([port], again);
    await again.append('alerts', [alertRecord(alert)]);
    const fresh = await fire({ type: 'new_bot', subject: 'NewBot' }, again);
    await expect.poll(() => [smtp.taken.length, calls.length], PATIENCE).toEqual([2, 2]);
    expect(JSON.parse(calls[1]!.body).alert.alert_id).toBe(fresh.alertId);
    const stored = (await storedTexts(clickhouse)).filter(({ table }) => table === 'notification_deliveries');
    expect(stored.filter(({ text }) => /jo@shop|s3cret|llwhs_/.test(text))).toEqual([]);
  }, 400_000);

  test('of imported logs reaches people and programs in one message, after the import is over', async () => {
    const { clickhouse, control, ring, smtp, websiteId } = given();
    const { url, port, calls } = await receiver();
    await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    await set({
      email_notifications_enabled: true,
      webhook_notifications_enabled: true,
      webhook_urls: [url],
    });
    const stop = await open([port]);
    const now = Date.now();
    const alerts: Alert[] = [];
    for (const subject of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      alerts.push(await fire(importedAlert(now, { websiteId, type: 'scraper', subject })));
    const waiting = () => readWaitingImported(clickhouse, websiteId);
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(3);
    await stop();
    expect([smtp.taken.length, calls.length]).toEqual([0, 0]);
    await putInSummaries(now + 11 * MINUTE_MS);
    await open([port]);
    await expect.poll(() => [smtp.taken.length, calls.length], PATIENCE).toEqual([1, 1]);
    expect(smtp.taken[0]!.headers.get('subject')![0]).toContain('shop.example: 3 alerts in imported logs of');
    const body = JSON.parse(calls[0]!.body);
    expect(body).toMatchObject({ type: 'alerts.imported', count: 3, by_type: { scraper: 3 } });
    expect(body.alerts.map((one: { alert_id: string }) => one.alert_id).sort()).toEqual(
      alerts.map(({ alertId }) => alertId).sort(),
    );
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(0);
  }, 400_000);

  test('that a mail server refuses for good is listed with its reason, and is sent after the operator queues it again', async () => {
    const { smtp, websiteId, refused } = given();
    await set({ email_notifications_enabled: true });
    refused.add('jo@shop.example');
    await open();
    await fire();
    const dead = () => desk().list({ status: 'dead', websiteId });
    await expect.poll(async () => (await dead()).length, PATIENCE).toBe(1);
    const [row] = await dead();
    expect(row).toMatchObject({
      channel: 'email',
      attempts: 1,
      reason: 'the mail server refused the recipient (550)',
    });
    expect(JSON.stringify(row)).not.toContain('jo@');
    refused.clear();
    await expect(desk().retry({ id: 'none' })).rejects.toThrow('no such dead delivery');
    expect(await desk().retry({ all: true, websiteId })).toMatchObject([{ id: row!.id, status: 'pending' }]);
    await expect.poll(() => smtp.taken.length, PATIENCE).toBe(1);
    await expect
      .poll(async () => (await desk().list({ status: 'sent', websiteId })).length, PATIENCE)
      .toBe(1);
    expect(await dead()).toEqual([]);
  }, 400_000);

  test('that strangers cause many times in an hour sends six messages, also after a restart', async () => {
    const { smtp, websiteId } = given();
    await set({ email_notifications_enabled: true });
    const createdAt = Date.now();
    const probe = (subject: string, given: Partial<Alert> = {}) =>
      fire({ type: 'hacking_probe', subject, createdAt, ...given });
    const stop = await open();
    for (const end of [1, 2, 3, 4]) await probe(`192.0.2.${end}`);
    await expect.poll(() => smtp.taken.length, PATIENCE).toBe(4);
    await stop();
    await open();
    for (const end of [5, 6, 7, 8]) await probe(`192.0.2.${end}`);
    await probe('192.0.2.9', { severity: 'critical' });
    await expect.poll(() => smtp.taken.length, PATIENCE).toBe(7);
    const subjects = smtp.taken.map(({ headers }) => headers.get('subject')![0]);
    expect(subjects.filter((subject) => subject!.startsWith('[critical]'))).toHaveLength(1);
    await expect
      .poll(async () => (await desk().list({ status: 'sent', websiteId })).length, PATIENCE)
      .toBe(7);
    expect(await desk().list({ status: 'pending', websiteId })).toEqual([]);
  }, 400_000);

  test('of an erased website leaves no row behind', async () => {
    const { clickhouse, websiteId, refused } = given();
    await set({ email_notifications_enabled: true });
    refused.add('jo@shop.example');
    const stop = await open();
    await fire();
    await expect
      .poll(async () => (await desk().list({ status: 'dead', websiteId })).length, PATIENCE)
      .toBe(1);
    await stop();
    const owners = { website_id: [websiteId], organisation_id: [], api_key_id: [] };
    const counts = await eraseOwned(clickhouse, owners, { logger: pino({ level: 'silent' }) });
    expect(counts.notification_deliveries).toBeGreaterThan(0);
    expect(await desk().list({ status: 'dead', websiteId })).toEqual([]);
  }, 400_000);
});

test('a day’s alerts are those found or seen again in it; an imported alert counts at the time of its import', async () => {
  const { clickhouse, websiteId } = given();
  const now = Date.now();
  await fire({ type: 'scraper', subject: 'before', createdAt: now - 30 * HOUR_MS });
  const merged = await fire({
    type: 'scraper',
    subject: 'a|b',
    createdAt: now - 29 * HOUR_MS,
    lastSeen: now - 3 * HOUR_MS,
  });
  const found = await fire({ type: 'scraper', subject: 'in it', createdAt: now - 2 * HOUR_MS });
  await fire({ type: 'scraper', subject: 'after', createdAt: now });
  const imported = await fire(importedAlert(now - 5 * HOUR_MS, { websiteId }));
  await fire(importedAlert(now, { websiteId, type: 'new_bot' }));
  const day = { websiteId, from: now - 25 * HOUR_MS, to: now - HOUR_MS };
  const { details: _, websiteId: __, occurrences: ___, ...told } = merged;
  const alerts = await readAlertsBetween(clickhouse, day);
  expect(alerts.map(({ alertId }) => alertId)).toEqual(
    [merged, imported, found].map(({ alertId }) => alertId),
  );
  expect(alerts[0]).toEqual({ ...told, fromImport: false });
  expect(alerts[1]!.fromImport).toBe(true);
}, 60_000);
