import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { formatters } from '../../deploy/demo/traffic/formats.js';
import { openLmdbEventLog } from '../../deploy/embedded/log/lmdb-event-log.js';
import { decodeStoredRecord, type StoredRecord } from '../../shared/detection/arrival-codec.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** The detector's record of an upload, compared with the timestamps of the lines. */

const NOW = Date.now();
const requests = [
  ...demoTraffic({ seed: 'arrivals', days: 1, requestsPerDay: 1_200, end: NOW, domain: 'shop.example' }),
];

let dataDir: string;
let program: Standalone;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-arrivals-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('an upload leads to one arrival with the intervals of its requests', async () => {
  const start = Date.now();
  await upload(requests.map(formatters.loglane));
  await untilStored(requests.length);
  await program.stop();

  const times = requests.map(({ timestamp }) => timestamp).sort((one, other) => one - other);
  const beginningsOf = (ms: number) => [...new Set(times.map((time) => time - (time % ms)))];
  const minutes = beginningsOf(60_000);
  const records = await readStored();
  const { website_id: websiteId } = program.credentials;
  expect(records).toEqual([
    {
      kind: 'arrival',
      forwards: 0,
      websiteId,
      arrival: {
        websiteId,
        receivedAt: expect.any(Number),
        hasPendingClaims: expect.any(Boolean),
        storedAt: expect.any(Number),
        oldestMinute: minutes[0],
        newestMinute: minutes.at(-1),
        intervals: beginningsOf(300_000),
      },
    },
  ]);
  const [{ arrival }] = records as [Extract<StoredRecord, { kind: 'arrival' }>];
  expect(arrival.receivedAt).toBeGreaterThanOrEqual(start);
  expect(arrival.storedAt).toBeGreaterThanOrEqual(arrival.receivedAt);
});

async function upload(lines: string[]): Promise<void> {
  const { ingest_url, ingest_key } = program.credentials;
  const response = await fetch(ingest_url, {
    method: 'POST',
    headers: { 'x-api-key': ingest_key, 'content-encoding': 'gzip' },
    body: gzipSync(lines.join('\n')),
  });
  expect(await response.json()).toMatchObject({ accepted: lines.length, rejected: 0 });
}

/** Arrivals follow the rows, and the count of rows follows the arrivals. */
async function untilStored(rows: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    const text = await (await fetch(`${program.metricsUrl}/metrics`)).text();
    if (Number(/^loglane_enricher_rows_total (\S+)$/m.exec(text)?.[1]) === rows) return;
    expect(round).toBeLessThan(300);
    await sleep(100);
  }
}

async function readStored(): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions: 1,
    maxBytes: 1e9,
    now: Date.now,
    schedule: () => () => {},
  });
  const tail = await log.tail({
    topic: 'requests.stored',
    onRecords: (read) => void records.push(...read.map(({ value }) => decodeStoredRecord(value))),
    onCrash: (error) => {
      throw error;
    },
  });
  await tail.caughtUp;
  await tail.stop();
  await log.close();
  return records;
}
