import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { fingerprintOf } from '../../../shared/alerts/alert.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import type { AlertSettings } from '../../../shared/alerts/settings.js';
import { eraseOwned } from '../../../shared/clickhouse/erase-rows.js';
import { dateTime64, insertRows } from '../../../shared/clickhouse/insert-rows.js';
import { loadConfig } from '../../../shared/config.js';
import { createDeliveryDesk } from '../../../shared/control/admin/delivery-desk.js';
import { showWebhookSecret } from '../../../shared/control/admin/show-webhook-secret.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { type KeyRing, openKeyRing } from '../../../shared/control/sealing/key-ring.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { startLocalServer } from '../../../shared/fetch/local-server.fixture.js';
import { smtpError, startSmtpServer, type TestSmtpServer } from '../../../shared/mail/smtp-server.fixture.js';
import { readAlertsBetween } from '../../../shared/queries/alert-traces.js';
import { webhookHeaders } from '../../../shared/webhooks/sign-webhook.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { storedTexts } from '../../../test/harness/stored-texts.js';
import { alertWith } from './alert.fixture.js';
import { openNotifications } from './open-notifications.js';

/** From a record of `alerts` to a mail server and a receiver of webhooks, by way of the store and the guarded fetcher. */

const PATIENCE = { timeout: 60_000 };
let engine: TestClickHouse;
let control: ControlPlane;
let ring: KeyRing;
let log: MemoryEventLog;
let smtp: TestSmtpServer;
let websiteId: string;
let refused: Set<string>;
let undo: (() => Promise<void>)[];

beforeAll(async () => {
  engine = await startTestClickHouse();
}, 400_000);
afterAll(() => engine?.stop());
beforeEach(async () => {
  undo = [];
  refused = new Set();
  ({ control } = await openTestPlane({ now: Date.now }));
  log = createMemoryEventLog(2);
  const onCrash = (error: Error) => {
    throw error;
  };
  ring = await openKeyRing({ log, randomBytes, onCrash });
  smtp = await startSmtpServer({
    onRecipient(address) {
      if (refused.has(address)) throw smtpError(550, `5.1.1 <${address}>: no such user`);
    },
  });
  const organisationId = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
  ).id;
  granted(await control.execute({ type: 'addUser', organisationId, email: 'jo@shop.example' }, 'admin'));
  ({
    website: { id: websiteId },
  } = granted(
    await control.execute({ type: 'createWebsite', organisationId, domain: 'shop.example' }, 'admin'),
  ));
});
afterEach(async () => {
  for (const each of undo.reverse()) await each();
  await smtp.close();
  await ring.close();
  await control.close();
});

async function set(settings: Partial<AlertSettings>): Promise<void> {
  granted(await control.execute({ type: 'changeAlertSettings', websiteId, ...settings }, 'admin'));
}

/** Notifications at work; @returns what ends them. @param ports of local servers that webhooks may reach */
async function open(ports: readonly number[] = [], topic = log): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  const service = {
    config: loadConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Loglane <alerts@loglane.example>' }),
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    stopping: new AbortController().signal,
    onStop: (stop: () => Promise<void>) => void stops.push(stop),
    onCrash(error: Error) {
      throw error;
    },
    now: Date.now,
    randomBytes,
    newId: randomUUID,
  };
  const fetch = createFetcher({
    userAgent: 'test',
    resolver: { resolve4: async () => [], resolve6: async () => [] },
    loopback: { ports },
  });
  await openNotifications(service, {
    log: topic,
    clickhouse: engine.clickhouse,
    control,
    ring,
    fetch,
    linkOf: async () => null,
  });
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    for (const each of stops) await each();
  };
  undo.push(stop);
  return stop;
}

/** As the detector does: the row first, then the record. */
async function fire(given: Partial<Alert> = {}, topic = log): Promise<Alert> {
  const alert = alertWith({ websiteId, createdAt: Date.now(), ...given });
  await insertRows(engine.clickhouse, {
    table: 'alerts',
    rows: [
      {
        website_id: websiteId,
        alert_id: alert.alertId,
        alert_type: alert.type,
        severity: alert.severity,
        message: alert.message,
        details: JSON.stringify(alert.details),
        fingerprint: fingerprintOf(alert),
        created_at: dateTime64(alert.createdAt),
        last_seen: dateTime64(alert.lastSeen),
        occurrences: alert.occurrences,
      },
    ],
    deduplicationToken: randomUUID(),
  });
  await topic.append('alerts', [alertRecord(alert)]);
  return alert;
}

interface Call {
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly url: string;
}

async function receiver(statusOf: (calls: number) => number = () => 200) {
  const calls: Call[] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url! });
    response.writeHead(statusOf(calls.length)).end('thanks');
  });
  return { ...server, calls, url: `http://127.0.0.1:${server.port}/hook?token=s3cret` };
}

const desk = () => createDeliveryDesk({ clickhouse: engine.clickhouse, now: Date.now });

describe('an alert', () => {
  test('reaches people by e-mail and a program by a signed webhook, once, also where the topic is read again', async () => {
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
    const { id, alert: told, incident, website } = JSON.parse(body);
    expect(told).toMatchObject({ alert_id: alert.alertId, message: evil, details: { path: evil } });
    expect([incident.incident_id, website.domain]).toEqual([alert.alertId, 'shop.example']);
    const now = Number(headers['loglane-webhook-timestamp']) * 1_000;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      ...webhookHeaders({ id, body, secret, now }),
    });
    await expect
      .poll(async () => (await desk().list({ status: 'sent', websiteId })).length, PATIENCE)
      .toBe(2);
    await stop();

    // Another group that begins at the topic's beginning, as after a lost commit.
    const again = createMemoryEventLog(2);
    await open([port], again);
    await again.append('alerts', [alertRecord(alert)]);
    const fresh = await fire({ type: 'new_bot', subject: 'NewBot' }, again);
    await expect.poll(() => [smtp.taken.length, calls.length], PATIENCE).toEqual([2, 2]);
    expect(JSON.parse(calls[1]!.body).alert.alert_id).toBe(fresh.alertId);
    const stored = (await storedTexts(engine.clickhouse)).filter(
      ({ table }) => table === 'notification_deliveries',
    );
    expect(stored.filter(({ text }) => /jo@shop|s3cret|llwhs_/.test(text))).toEqual([]);
  }, 400_000);

  test('that a mail server refuses for good stands in the list with its reason, and goes out when it is put in again', async () => {
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

  test('of which strangers make many in an hour is told six times, also after a restart', async () => {
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

  test('of an erased website leaves nothing behind', async () => {
    await set({ email_notifications_enabled: true });
    refused.add('jo@shop.example');
    const stop = await open();
    await fire();
    await expect
      .poll(async () => (await desk().list({ status: 'dead', websiteId })).length, PATIENCE)
      .toBe(1);
    await stop();
    const owners = { website_id: [websiteId], organisation_id: [], api_key_id: [] };
    const counts = await eraseOwned(engine.clickhouse, owners, { logger: pino({ level: 'silent' }) });
    expect(counts.notification_deliveries).toBeGreaterThan(0);
    expect(await desk().list({ status: 'dead', websiteId })).toEqual([]);
  }, 400_000);
});

describe('a webhook', () => {
  test('to what is not public is asked of nobody and is dead at once, with the reason', async () => {
    const inside = await receiver();
    await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    const urls = [
      `http://127.0.0.1:${inside.port}/`,
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://user:password@10.0.0.1/',
      'https://10.0.0.1:6443/',
    ];
    await set({ webhook_notifications_enabled: true, webhook_urls: urls });
    await open();
    await fire();
    const dead = () => desk().list({ status: 'dead', websiteId });
    await expect.poll(async () => (await dead()).length, PATIENCE).toBe(urls.length);
    for (const { attempts, reason } of await dead()) {
      expect(attempts).toBe(1);
      expect(reason).toMatch(/only public addresses are fetched|no address that can be fetched/);
    }
    expect(inside.connections()).toBe(0);
  }, 400_000);

  test('that redirects, or fails, is tried again and reaches no other place; without a secret nothing is sent', async () => {
    const inside = await receiver();
    const moved = await startLocalServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const failing = await receiver(() => 500);
    await set({
      webhook_notifications_enabled: true,
      webhook_urls: [failing.url, `http://127.0.0.1:${moved.port}/`],
    });
    await open([inside.port, moved.port, failing.port]);
    await fire();
    const reasons = async () =>
      (await desk().list({ status: 'pending', websiteId })).map(({ reason }) => reason).sort();
    const none = 'there is no secret to sign it with: make one (alerts webhook-secret)';
    await expect.poll(reasons, PATIENCE).toEqual([none, none]);
    expect(failing.calls).toEqual([]);
    await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    await fire({ type: 'new_bot', subject: 'NewBot' });
    await expect
      .poll(async () => (await reasons()).filter((reason) => reason !== none), PATIENCE)
      .toEqual(['it answered 307, and redirects are not followed', 'it answered 500']);
    expect(inside.connections()).toBe(0);
  }, 400_000);
});

test('a day’s alerts are those that were found in it, or found again', async () => {
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
  const day = { websiteId, from: now - 25 * HOUR_MS, to: now - HOUR_MS };
  const { details: _, websiteId: __, ...told } = merged;
  const alerts = await readAlertsBetween(engine.clickhouse, day);
  expect(alerts.map(({ alertId }) => alertId)).toEqual([merged.alertId, found.alertId]);
  expect(alerts[0]).toEqual(told);
}, 60_000);
