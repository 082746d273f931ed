import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { formatters } from '../../deploy/demo/traffic/formats.js';
import { emptyMinute, foldMinutes } from '../../shared/detection/fold-signals.js';
import type { Signal } from '../../shared/detection/signal.js';
import { openLmdbEventLog } from '../../shared/event-log/lmdb/lmdb-event-log.js';
import { countTruth } from '../harness/demo-truth.js';
import { decodeSignal } from '../harness/detector/signal.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** What is told to the detector of an upload, held against a count over the lines themselves. */

const NOW = Date.now();
const requests = [
  ...demoTraffic({ seed: 'signals', days: 1, requestsPerDay: 1_200, end: NOW, domain: 'shop.example' }),
];
const truth = countTruth(requests);

let dataDir: string;
let program: Standalone;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-signals-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('an upload leads to one signal, which counts what the upload holds', async () => {
  await upload(requests.map(formatters.loglane));
  await untilStored(requests.length);
  await program.stop();

  const signals = await readSignals();
  expect(signals.map(({ websiteId }) => websiteId)).toEqual([program.credentials.website_id]);
  const [{ token, minutes }] = signals as [Signal];
  expect(token).toMatch(/^requests\.raw\/\d+\/0-\d+\//);
  const total = minutes.reduce(foldMinutes, emptyMinute(minutes[0]!.minute));
  const withStatus = (...statuses: number[]) =>
    statuses.reduce((sum, status) => sum + (truth.byStatus.get(status) ?? 0), 0);
  expect(total).toMatchObject({
    requests: truth.requests,
    bytesSent: truth.bytesSent,
    timeTakenMs: truth.timeTakenMs,
    notFound: withStatus(404, 410),
    rejected: withStatus(401, 403, 429),
    undeclared: truth.byActor.get('undeclared_agent') ?? 0,
  });
  expect(total.notFound).toBeGreaterThan(0);
  expect(total.people + total.bots).toBe(truth.requests);
  expect(new Set(minutes.map(({ minute }) => minute))).toEqual(
    new Set(requests.map(({ timestamp }) => timestamp - (timestamp % 60_000))),
  );
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

/** The signals come behind the rows, and the count of rows behind the signals. */
async function untilStored(rows: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    const text = await (await fetch(`${program.credentials.base_url}/metrics`)).text();
    if (Number(/^loglane_enricher_rows_total (\S+)$/m.exec(text)?.[1]) === rows) return;
    expect(round).toBeLessThan(300);
    await sleep(100);
  }
}

async function readSignals(): Promise<Signal[]> {
  const signals: Signal[] = [];
  const log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions: 1,
    maxBytes: 1e9,
    now: Date.now,
    schedule: () => () => {},
  });
  const tail = await log.tail({
    topic: 'requests.signals',
    onRecords: (records) => void signals.push(...records.map(({ value }) => decodeSignal(value))),
    onCrash: (error) => {
      throw error;
    },
  });
  await tail.caughtUp;
  await tail.stop();
  await log.close();
  return signals;
}
