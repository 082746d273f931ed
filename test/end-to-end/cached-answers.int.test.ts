import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** A single process caches answers until stored data changes them. */

let dataDir: string;
let program: Standalone;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-kept-'));
  const [apiPort, ingestPort] = await Promise.all([freePort(), freePort()]);
  program = await startStandalone({ dataDir, apiPort, ingestPort });
}, 120_000);
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const TODAY = new Date().toISOString().slice(0, 10);

async function send(lines: number): Promise<void> {
  const { ingest_url, ingest_key } = program.credentials;
  const at = new Date().toISOString();
  const body = Array.from({ length: lines }, (_, index) =>
    JSON.stringify({ timestamp: at, client_ip: '192.0.2.7', method: 'GET', path: `/${index}`, status: 200 }),
  ).join('\n');
  const answer = await fetch(ingest_url, { method: 'POST', headers: { 'X-API-Key': ingest_key }, body });
  expect(answer.status).toBe(200);
}

function read(headers: Record<string, string> = {}) {
  const { base_url, website_id, api_key } = program.credentials;
  return fetch(`${base_url}/public/v1/websites/${website_id}/status-codes?start=${TODAY}&end=${TODAY}`, {
    headers: { authorization: `Bearer ${api_key}`, ...headers },
  });
}

const total = async () => ((await (await read()).json()) as { total_requests: number }).total_requests;

/** The text of the metrics is updated once a second. */
const newMetrics = () => new Promise((resolve) => setTimeout(resolve, 1_100));

async function origins(): Promise<Record<string, number>> {
  const text = await (await fetch(`${program.metricsUrl}/metrics`)).text();
  const lines = text.matchAll(/^loglane_api_reusable_answers_total\{origin="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, origin, count]) => [origin, Number(count)]));
}

it('an answer is cached while nothing is stored, and sent lines are in the next answer', async () => {
  expect(await total()).toBe(0);
  await send(3);
  await vi.waitFor(async () => expect(await total()).toBe(3), { timeout: 20_000, interval: 100 });
  // Waits until late verdicts and other writes are done.
  const atRest = async () => {
    const tag = (await read()).headers.get('etag')!;
    await newMetrics();
    const before = await origins();
    expect((await read({ 'if-none-match': tag })).status).toBe(304);
    await newMetrics();
    const after = await origins();
    expect(after.run).toBe(before.run);
    expect(after.kept).toBe(before.kept! + 1);
  };
  await vi.waitFor(atRest, { timeout: 30_000 });
  await send(2);
  await vi.waitFor(async () => expect(await total()).toBe(5), { timeout: 20_000, interval: 100 });
}, 90_000);

it('the first read after an upload has its lines, or reports that lines are not stored yet', async () => {
  const { base_url, website_id, api_key } = program.credentials;
  const before = await total();
  for (let upload = 1; upload <= 12; upload += 1) {
    await send(200);
    const answer = (await (await read()).json()) as { total_requests: number; _pending_upload?: object };
    expect(answer.total_requests === before + 200 * upload || answer._pending_upload !== undefined).toBe(
      true,
    );
  }
  const setup = await fetch(`${base_url}/public/v1/websites/${website_id}/setup`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const { logs } = (await setup.json()) as { logs: { uploads_24h: { taken: number }; last_upload: object } };
  expect(logs).toMatchObject({ last_upload: { accepted: 200 } });
  expect(logs.uploads_24h.taken).toBeGreaterThanOrEqual(12);
}, 60_000);
