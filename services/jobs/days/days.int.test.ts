import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileFormat } from '../../../shared/control/exports/file-format.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { openLocalFiles } from '../../../shared/files/local-files.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../test/harness/stored-requests.js';
import { daysJob } from './days-job.js';

/** Stored days compared with the engine's rows. */

const NOW = Date.now();
const TODAY = NOW - (NOW % DAY_MS);
const DATE = new Date(TODAY - DAY_MS).toISOString().slice(0, 10);

let engine: TestClickHouse;
let folder: string;
beforeAll(async () => {
  engine = await startTestClickHouse();
  folder = await mkdtemp(join(tmpdir(), 'loglane-days-'));
});
afterAll(async () => {
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function insert(websiteId: string, requests: readonly Partial<StoredRequest>[], addressDays = 0) {
  await insertStored(
    engine.clickhouse,
    requests.map((given, log_offset) =>
      storedRequest({ website_id: websiteId, timestamp: TODAY - HOUR_MS, log_offset, ...given }),
    ),
    { deduplicationToken: `${websiteId} ${requests.length} ${addressDays}`, addressDays },
  );
}

async function run(websiteId: string, format: FileFormat, keepsAddresses = true) {
  const store = await openLocalFiles(folder, 'http://localhost');
  const job = daysJob({
    store,
    scheduleOf: () => ({ id: websiteId, format, from: DATE, createdAt: '' }),
    retentionDaysOf: () => 30,
    isThere: () => true,
    keepsAddresses: () => keepsAddresses,
    rulesVersion: () => 'v1',
  });
  const { signal } = new AbortController();
  const deps = { clickhouse: engine.clickhouse, now: () => TODAY + 3 * HOUR_MS, signal };
  await job.run({ id: websiteId, createdAt: '' }, { ...deps, logger: pino({ level: 'silent' }) });
}

const read = (websiteId: string, name: string) =>
  readFile(join(folder, websiteId, 'requests', `date=${DATE}`, name));

async function manifestOf(websiteId: string) {
  return JSON.parse(String(await read(websiteId, '_manifest.json')));
}

async function rowsOf(websiteId: string): Promise<{ path: string; client_ip: string }[]> {
  const lines = String(gunzipSync(await read(websiteId, 'requests.ndjson.gz')));
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a day has its own rows, also those of people, and late ones after they came', async () => {
  const [early, late] = [{ path: '/early' }, { ...googlebot, path: '/late' }];
  await insert('web_1', [
    early,
    { path: '/today', timestamp: TODAY + 1 },
    { path: '/before', timestamp: TODAY - 2 * DAY_MS },
  ]);
  await run('web_1', 'ndjson');
  expect((await rowsOf('web_1')).map(({ path }) => path)).toEqual(['/early']);
  const first = await manifestOf('web_1');
  await run('web_1', 'ndjson');
  expect(await manifestOf('web_1')).toEqual(first);
  await insert('web_1', [{ ...late, log_offset: 9, received_at: TODAY + HOUR_MS }]);
  await run('web_1', 'ndjson');
  expect((await rowsOf('web_1')).map(({ path, client_ip }) => [path, client_ip])).toEqual([
    ['/late', '66.249.66.1'],
    ['/early', '192.0.2.7'],
  ]);
  expect(await manifestOf('web_1')).toMatchObject({ rows: 2, date: DATE, format: 'ndjson' });
});

test('a Parquet file is complete and has as many rows', async () => {
  await insert('web_2', [{ path: '/a' }, { path: '/b' }]);
  await run('web_2', 'parquet');
  const bytes = await read('web_2', 'requests.parquet');
  expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
  expect(await manifestOf('web_2')).toMatchObject({ rows: 2, bytes: bytes.length });
});

test('addresses that are kept for fewer days than requests are in no file', async () => {
  await insert('web_3', [{ path: '/a' }], 7);
  await run('web_3', 'ndjson');
  expect((await rowsOf('web_3')).map(({ client_ip }) => client_ip || null)).toEqual([null]);
  expect(await manifestOf('web_3')).toMatchObject({ client_ips: false });
});

test('a website that keeps addresses at least as long as requests has them in its files', async () => {
  // Its rows expire with their addresses, so they have no separate days.
  await insert('web_4', [{ path: '/a' }], 0);
  await run('web_4', 'ndjson');
  expect((await rowsOf('web_4')).map(({ client_ip }) => client_ip)).toEqual(['192.0.2.7']);
  expect(await manifestOf('web_4')).toMatchObject({ client_ips: true });
  await run('web_4', 'ndjson', false);
  expect((await rowsOf('web_4')).map(({ client_ip }) => client_ip || null)).toEqual([null]);
  expect(await manifestOf('web_4')).toMatchObject({ client_ips: false });
});
