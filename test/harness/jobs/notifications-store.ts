import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createDeliveryDesk } from '../../../deploy/admin/server/delivery-desk.js';
import { createSummaries } from '../../../services/jobs/notifications/imports/queue-summaries.js';
import { readSummarised } from '../../../services/jobs/notifications/messages/alert-traces.js';
import { openNotifications } from '../../../services/jobs/notifications/open-notifications.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import type { AlertSettings } from '../../../shared/alerts/settings.js';
import { loadConfig } from '../../../shared/config.js';
import { alertSettingsOf } from '../../../shared/control/aggregates/alert-settings.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { type KeyRing, openKeyRing } from '../../../shared/control/sealing/key-ring.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { insertAlerts } from '../../../shared/reads/alerts/alert-writes.js';
import {
  insertDeliveries,
  queueDeliveries,
  readImportingWebsites,
  readWaitingImported,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import { startTestClickHouse, type TestClickHouse } from '../clickhouse.js';
import { granted, openTestPlane } from '../control-plane.js';
import { startLocalServer } from '../local-server.js';
import { createMemoryEventLog, type MemoryEventLog } from '../memory-event-log.js';
import { alertWith, audienceWith } from './alert.js';
import { smtpError, startSmtpServer, type TestSmtpServer } from './smtp-server.js';

/** Messages are sent within this time, even on a busy machine. */
export const PATIENCE = { timeout: 60_000 };

export interface Call {
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly url: string;
}

/**
 * The path from a record of `alerts` to a mail server and a webhook receiver, through the store and the
 * guarded fetcher. Each test has a separate website.
 */
export function useNotifications() {
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

  /**
   * Starts the notifications.
   * @param ports of local servers that webhooks may reach
   * @returns a function that stops them
   */
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
    const { clickhouse } = engine;
    const linkOf = async () => null;
    await openNotifications(service, { log: topic, clickhouse, control, ring, fetch, linkOf });
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      for (const each of stops) await each();
    };
    undo.push(stop);
    return stop;
  }

  /** Adds the summaries of imported logs that are due at `now`, once. */
  async function putInSummaries(now: number): Promise<void> {
    const { clickhouse } = engine;
    const state = control.state();
    const { organisationId } = state.websites.get(websiteId)!;
    const userIds = state.users.by('organisationId', organisationId).map(({ id }) => id);
    const audience = audienceWith(alertSettingsOf(state, websiteId), { websiteId, organisationId, userIds });
    await createSummaries({
      readImporting: () => readImportingWebsites(clickhouse),
      readWaiting: (id) => readWaitingImported(clickhouse, id),
      readSummarised: (wanted) => readSummarised(clickhouse, wanted),
      audienceOf: (id) => (id === websiteId ? audience : undefined),
      queue: (deliveries) => queueDeliveries(clickhouse, deliveries, Date.now()),
      onQueued: () => {},
      recordAll: (deliveries) => insertDeliveries(clickhouse, deliveries),
      now: () => now,
      logger: pino({ level: 'silent' }),
    })();
  }

  /** Like the detector: the row first, then the record. */
  async function fire(given: Partial<Alert> = {}, topic = log): Promise<Alert> {
    const alert = alertWith({ websiteId, createdAt: Date.now(), ...given });
    await insertAlerts(engine.clickhouse, [alert]);
    await topic.append('alerts', [alertRecord(alert)]);
    return alert;
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
  return {
    set,
    open,
    putInSummaries,
    fire,
    receiver,
    desk: () => createDeliveryDesk({ clickhouse: engine.clickhouse, now: Date.now }),
    /** The current objects of a test. */
    given: () => ({ clickhouse: engine.clickhouse, control, ring, log, smtp, websiteId, refused }),
  };
}
