import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectInstance } from '../../deploy/admin/instance/instance.js';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { openLmdbEventLog } from '../../deploy/embedded/log/lmdb-event-log.js';
import { decodeDecision } from '../../shared/control/domain/event-codec.js';
import { type TopicName, topics } from '../../shared/event-log/topics.js';
import { decodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import { connectClickHouse } from '../../shared/store/client.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { storedTexts } from '../harness/stored-texts.js';

/** A customer is erased from a running program. Then every column of every table and every record of every topic is searched. */

const NAMES = /zqx/i;
const ADDRESS = '198.51.100.77';
const logger = pino({ level: 'silent' });

let dataDir: string;
let program: Standalone;
const start = async () => {
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-erasure-'));
  await start();
}, 400_000);
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, 400_000);

const admin = (path: string, body: object): Promise<any> => connectInstance(dataDir).post(path, body);
const command = async (type: string, fields: object) =>
  (await admin('/commands', { type, ...fields })).answer;

interface Customer {
  readonly organisationId: string;
  readonly userId: string;
  readonly websiteId: string;
  readonly ingestKey: string;
  readonly apiKey: string;
}

async function call(customer: Customer, method: string, path: string, body?: object) {
  const response = await fetch(
    `${program.credentials.base_url}/public/v1/websites/${customer.websiteId}${path}`,
    {
      method,
      headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  );
  return { status: response.status, body: (await response.json()) as any };
}

/** A customer with the mark in every text, and with one of each kind of user input. */
async function customerOf(mark: string): Promise<Customer> {
  const { id: organisationId } = await command('createOrganisation', {
    name: `${mark} Ltd`,
    planId: 'scale',
  });
  const { id: userId } = await command('addUser', { organisationId, email: `jo@${mark}.example` });
  const site = await command('createWebsite', {
    organisationId,
    domain: `${mark}.example`,
    name: `${mark} shop`,
    sourceType: 'vector',
  });
  const key = await command('createApiKey', {
    organisationId,
    name: `${mark} CI`,
    scope: 'read_write',
    userId,
  });
  const customer = {
    organisationId,
    userId,
    websiteId: site.website.id,
    ingestKey: site.clearText,
    apiKey: key.clearText,
  };
  const write = async (path: string, body: object) =>
    expect([path, (await call(customer, 'POST', path, body)).status]).toEqual([path, 200]);
  await write('/site-events', { title: `${mark} relaunch`, date: '2026-11-20', description: `by ${mark}` });
  await write('/segments', {
    name: `${mark} pages`,
    rules: [{ type: 'prefix', value: `/${mark}` }],
    notes: mark,
  });
  await write('/recommendations/resolve', { key: `ip:${ADDRESS}` });
  const lines = Array.from({ length: 40 }, (_, index) =>
    JSON.stringify({
      timestamp: new Date(Date.now() - index * 60_000).toISOString(),
      client_ip: index % 4 === 0 ? ADDRESS : `203.0.113.${index}`,
      method: 'GET',
      host: `${mark}.example`,
      path: `/${mark}/page-${index}?q=${mark}`,
      status: 200,
      bytes_sent: 100,
      user_agent:
        index % 3 === 0
          ? 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
          : `UA ${mark}`,
      referrer: `https://${mark}.example/`,
    }),
  );
  await send(customer, lines, lines.length);
  return customer;
}

/** @param total number of the customer's requests that must be stored. */
async function send(customer: Customer, lines: readonly string[], total: number): Promise<void> {
  const sent = await fetch(program.credentials.ingest_url, {
    method: 'POST',
    headers: { 'X-API-Key': customer.ingestKey },
    body: lines.join('\n'),
  });
  expect(sent.status).toBe(200);
  for (let round = 0; ; round++) {
    const { body } = await call(customer, 'GET', '/summary?hours=24');
    if (body.total_requests === total) break;
    expect(round).toBeLessThan(100);
    await sleep(200);
  }
}

/** Every stored text with its location. */
async function everything(): Promise<{ place: string; text: string }[]> {
  const found: { place: string; text: string }[] = [];
  const log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions: 1,
    maxBytes: 1e9,
    now: Date.now,
    schedule: () => () => {},
  });
  for (const topic of Object.keys(topics) as TopicName[]) {
    const tail = await log.tail({
      topic,
      onRecords(records) {
        for (const { key, value, offset } of records) {
          const place = `${topic}/${offset}`;
          found.push({ place, text: `${key} ${value.toString('latin1')}` });
          if (topic === 'control.events') found.push({ place, text: JSON.stringify(decodeDecision(value)) });
          if (topic === 'requests.raw') found.push({ place, text: JSON.stringify(decodeRawBlock(value)) });
        }
      },
      onCrash: (error) => found.push({ place: topic, text: `zqx ${error.message}` }),
    });
    await tail.caughtUp;
    await tail.stop();
  }
  await log.close();
  const engine = await startEmbeddedClickHouse({ directory: join(dataDir, 'clickhouse'), logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 7e8 });
  for (const { table, column, text } of await storedTexts(clickhouse))
    found.push({ place: `${table}.${column}`, text });
  await clickhouse.close();
  await engine.stop();
  for (const name of await readdir(dataDir, { withFileTypes: true }))
    if (name.isFile())
      found.push({ place: name.name, text: await readFile(join(dataDir, name.name), 'latin1') });
  return found;
}

test('nothing is left of an organisation, a website, a user and an address, and other customers lose nothing', async () => {
  const gone = await customerOf('zqxgone');
  const kept = await customerOf('kept');
  const site = await customerOf('zqxsite');
  const user = await customerOf('zqxuser');

  const preview = await admin('/erase/preview', { kind: 'organisation', id: gone.organisationId });
  expect(preview.answer.rows.requests).toBe(40);
  expect((await call(gone, 'GET', '/summary')).status).toBe(200);

  await program.stop();
  const before = await everything();
  expect(before.filter(({ text }) => NAMES.test(text)).length).toBeGreaterThan(50);
  await start();

  // At the time of the erasure the detector has counted the customer, or is about to; its state is saved at the next stop.
  const probes = Array.from({ length: 5 }, (_, index) =>
    JSON.stringify({
      ...{ timestamp: new Date().toISOString(), client_ip: ADDRESS, method: 'GET', host: 'kept.example' },
      ...{ path: `/.env?${index}`, status: 404, bytes_sent: 1, user_agent: `probe of ${ADDRESS}` },
    }),
  );
  await send(kept, probes, 45);
  await admin('/erase', { kind: 'organisation', id: gone.organisationId });
  await admin('/erase', { kind: 'website', id: site.websiteId });
  await admin('/erase', { kind: 'user', id: 'jo@zqxuser.example' });
  const address = await admin('/erase', { kind: 'address', address: ADDRESS, websiteId: null });
  expect(address.answer).toMatchObject({ forgotten: true, complete: true, leftRecords: 0 });
  // Every table with possible matches was counted again.
  const { left: counted } = address.answer as unknown as { left: Record<string, number> };
  expect(counted).toMatchObject({ requests: 0, client_ips_per_hour: 0, alerts: 0, detector_states: 0 });
  expect(new Set(Object.values(counted))).toEqual(new Set([0]));
  // A repeated erasure, as after a crash: it is accepted and finds nothing.
  const again = await admin('/erase', { kind: 'organisation', id: gone.organisationId });
  expect(again.answer).toMatchObject({ rows: {}, records: 0 });

  expect((await call(gone, 'GET', '/summary')).status).toBe(401);
  expect((await call(kept, 'GET', '/summary?hours=24')).body.total_requests).toBe(30);

  for (const round of ['at once', 'after a restart']) {
    await program.stop();
    const left = await everything();
    const names = left.filter(({ text }) => /zqxgone|jo@zqxuser|zqxuser CI/i.test(text));
    expect([round, names]).toEqual([round, []]);
    const ofSite = left.filter(({ text }) => /zqxsite(\.example|\/page| relaunch| shop| pages)/i.test(text));
    expect(
      ofSite.filter(({ text }) => !text.includes('zqxsite Ltd') && !text.includes('jo@zqxsite')),
    ).toEqual([]);
    expect(left.filter(({ text }) => text.includes(ADDRESS))).toEqual([]);
    expect(left.filter(({ text }) => text.includes('kept relaunch')).length).toBeGreaterThan(1);
    // The detector keeps what it has learned about others.
    const states = left.filter(({ place }) => place === 'detector_states.website_id');
    expect(states.map(({ text }) => text)).toContain(kept.websiteId);
    expect(states.map(({ text }) => text)).not.toContain(gone.websiteId);
    await start();
    expect((await call(kept, 'GET', '/summary?hours=24')).body.total_requests).toBe(30);
    expect((await call(kept, 'GET', '/site-events')).body.events.length).toBeGreaterThan(1);
    expect((await call(gone, 'GET', '/summary')).status).toBe(401);
    expect((await call(user, 'GET', '/summary')).status).toBe(401);
    // The names are free again.
    if (round === 'after a restart') await command('createOrganisation', { name: 'zqx' });
  }
}, 900_000);
