import { cp, mkdtemp, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { runAdmin } from '../faults/operate.js';
import { freePort } from '../harness/free-port.js';
import { startStandalone } from '../harness/standalone.js';

/** The program refuses to start with a part of its data, and changes nothing. */

let home: string;
let whole: string;
let dataDir: string;
let keys: object;

const start = async () =>
  startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });

async function keysIn(directory: string): Promise<object> {
  const { api_key, ingest_key } = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'));
  return { api_key, ingest_key };
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loglane-lost-'));
  whole = join(home, 'whole');
  dataDir = whole;
  const program = await start();
  const { ingest_url, ingest_key } = program.credentials;
  const line = {
    timestamp: new Date().toISOString(),
    client_ip: '192.0.2.7',
    method: 'GET',
    path: '/',
    status: 200,
  };
  const sent = await fetch(ingest_url, {
    method: 'POST',
    headers: { 'X-API-Key': ingest_key },
    body: JSON.stringify(line),
  });
  expect(sent.status).toBe(200);
  await vi.waitFor(async () => expect(await program.get('/summary')).toMatchObject({ total_requests: 1 }), {
    timeout: 20_000,
    interval: 200,
  });
  await program.stop();
  keys = await keysIn(whole);
}, 120_000);
afterAll(() => rm(home, { recursive: true, force: true }));

afterEach(async () => {
  expect(await keysIn(dataDir)).toEqual(keys);
});

async function damaged(name: string, damage: () => Promise<void>): Promise<void> {
  dataDir = join(home, name);
  await cp(whole, dataDir, { recursive: true });
  await damage();
}

it('if the log is missing, and names both locations', async () => {
  await damaged('gone', () => rename(join(dataDir, 'log'), join(home, 'elsewhere')));
  const refusal = `the control log (${join(dataDir, 'log')}) is empty, but the store (${join(dataDir, 'clickhouse')}) has requests`;
  await expect(start()).rejects.toThrow(refusal);
  // The previous start left an empty log.
  await expect(start()).rejects.toThrow(refusal);
}, 120_000);

it('if the log and the store are missing, but their keys exist', async () => {
  await damaged('both', async () => {
    await rename(join(dataDir, 'log'), join(home, 'log'));
    await rename(join(dataDir, 'clickhouse'), join(home, 'clickhouse'));
  });
  await expect(start()).rejects.toThrow(/is empty, but .*credentials.json has keys of an installation/);
}, 120_000);

it('if the store is missing, until the operator stores the remaining log again', async () => {
  await damaged('storeless', () => rename(join(dataDir, 'clickhouse'), join(home, 'away')));
  const refusal = `the store (${join(dataDir, 'clickhouse')}) is new and has no requests, but the log (${join(dataDir, 'log')}) has 1 records`;
  await expect(start()).rejects.toThrow(refusal);
  // The previous start left an empty store.
  await expect(start()).rejects.toThrow(refusal);
  await runAdmin({ DATA_DIR: dataDir }, ['log', 'resume-from-store']);
  const program = await start();
  await vi.waitFor(async () => expect(await program.get('/summary')).toMatchObject({ total_requests: 1 }), {
    timeout: 20_000,
    interval: 200,
  });
  await program.stop();
}, 240_000);

it('but not if all requests of the store were erased', async () => {
  await damaged('erased', async () => {});
  const program = await start();
  const { id } = (
    JSON.parse(await runAdmin({ DATA_DIR: dataDir }, ['organisations', 'list', '--json'])) as { id: string }[]
  )[0]!;
  await runAdmin({ DATA_DIR: dataDir }, ['erase', 'organisation', id, '--yes']);
  await program.stop();
  await (await start()).stop();
}, 240_000);

it('if the log file is cut, and names it', async () => {
  await damaged('cut', async () => {
    const file = join(dataDir, 'log', 'data.mdb');
    await truncate(file, (await stat(file)).size - 20_000);
  });
  await expect(start()).rejects.toThrow(`the log file ${join(dataDir, 'log', 'data.mdb')} is damaged`);
}, 120_000);

/** The folders of stored parts, of every table. */
async function parts(): Promise<string[]> {
  const store = join(dataDir, 'clickhouse', 'store');
  const files = await readdir(store, { recursive: true });
  return files.filter((file) => /\/\d{6}_[^/]+\/data\.bin$/.test(file)).map((file) => join(store, file));
}

const today = new Date().toISOString().slice(0, 7);

it('if stored rows are cut, and names their days', async () => {
  await damaged('parts', async () => {
    for (const file of await parts()) await truncate(file, 10);
  });
  const refused = start();
  await expect(refused).rejects.toThrow(/has damaged parts: \w+ of \d{4}-\d\d-\d\d \(/);
  await expect(refused).rejects.toThrow('To start without their rows');
}, 120_000);

it('but answers 503 with the damaged days while it runs, and logs each part once', async () => {
  await damaged('running', async () => {});
  const program = await start();
  for (const file of await parts()) await truncate(file, 10);
  const detail = new RegExp(`503 .*Stored data of ${today}-\\d\\d \\(UTC\\) is damaged`);
  for (let calls = 0; calls < 3; calls += 1) await expect(program.get('/summary')).rejects.toThrow(detail);
  await program.stop();
  const lines = program
    .output()
    .split('\n')
    .filter((line) => line.includes('stored data is damaged'));
  const named = lines.map((line) => (JSON.parse(line) as { part: string; level: number }).part);
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named).size).toBe(named.length);
}, 120_000);
