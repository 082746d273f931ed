import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../deploy/demo/traffic/random.js';
import { memoryOfTree } from '../bench/process-memory.js';
import { type Deliveries, expectEveryRowOnce } from '../harness/every-row-once.js';
import { LINES_PER_UPLOAD } from '../harness/request-stream.js';
import { CLUSTER_START_MS, type Cluster, startCluster } from './cluster.js';
import { createFaultBag } from './fault-bag.js';
import { expectAllReady, untilCaughtUp } from './settle.js';
import { startUploadStream } from './stream.js';

/** `npm run test:soak`: an hour by default. In `npm test` it is 0 seconds and skipped. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 0);
const SEED = process.env.FAULT_SEED ?? String(Date.now());
const MEBIBYTE = 1024 ** 2;
/** Long enough to include merges of the engine. */
const MEASURE_MS = Math.min(30_000, SECONDS * 250);
const MOST_SAMPLES_APART_MS = 60_000;
/** Average time from the end of one to the begin of the next. */
const BETWEEN_FAULTS_MS = 15_000;
const services = ['ingest', 'api-1', 'api-2', 'enricher-1', 'enricher-2'];

let cluster: Cluster | null = null;
const random = createRandom(SEED);
const draw = () => random.next();

beforeAll(async () => {
  if (SECONDS > 0) cluster = await startCluster();
}, CLUSTER_START_MS);
afterAll(() => cluster?.shutDown());

describe.skipIf(SECONDS === 0)('uploads at half rate with faults', () => {
  test(`leave memory flat, no lag, and every row once after ${SECONDS} s (FAULT_SEED=${SEED})`, {
    timeout: SECONDS * 1_000 + 1_800_000,
  }, async (context) => {
    if (cluster === null) return context.skip('no Kafka broker can be had');
    const deliveries = new Map<string, Deliveries>();
    const rate = await measureRate(cluster, deliveries);
    console.info(`${Math.round(rate)} lines a second at full rate; continuing at half of it`);
    const stream = startUploadStream(cluster, 'soak', draw, everyMs((1_000 * LINES_PER_UPLOAD) / (rate / 2)));
    const memory = startSampling(cluster, Math.min(MOST_SAMPLES_APART_MS, SECONDS * 100));
    const nextFault = createFaultBag(cluster, draw);
    const struck: string[] = [];
    const end = Date.now() + SECONDS * 1_000;
    try {
      for (;;) {
        await sleep(Math.min(2 * BETWEEN_FAULTS_MS * draw(), Math.max(0, end - Date.now())));
        if (Date.now() >= end) break;
        const fault = nextFault();
        struck.push(fault.name);
        await fault.strike(cluster, draw, stream);
      }
    } finally {
      await stream.stop();
      memory.stop();
    }
    for (const [upload, delivery] of stream.deliveries) deliveries.set(upload, delivery);
    const caughtUpMs = await untilCaughtUp(cluster);
    await expectAllReady(cluster);
    const { rows } = await expectEveryRowOnce(cluster.clickhouse, deliveries);
    const answered = [...deliveries.values()].filter((delivery) => delivery.answered > 0).length;
    console.info(
      `${struck.length} faults: ${struck.join(', ')}\n${answered} of ${deliveries.size} uploads answered; ` +
        `lag zero ${Math.round(caughtUpMs)} ms after the last; ${rows} rows, each once\n${memory.table()}`,
    );
    expect(memory.growthMiB()).toBeLessThan(300);
  });
});

/** Received and stored lines per second, with as many uploads as the program answers. */
async function measureRate(running: Cluster, deliveries: Map<string, Deliveries>): Promise<number> {
  const started = performance.now();
  const stream = startUploadStream(running, 'full', draw, async () => {});
  await sleep(MEASURE_MS);
  await stream.stop();
  await untilCaughtUp(running);
  for (const [upload, delivery] of stream.deliveries) deliveries.set(upload, delivery);
  const answered = [...stream.deliveries.values()].reduce((sum, delivery) => sum + delivery.answered, 0);
  return (answered * LINES_PER_UPLOAD * 1_000) / (performance.now() - started);
}

/** Ticks at this rate over all senders; missed ticks are not repeated. */
function everyMs(gap: number): () => Promise<void> {
  let next = Date.now();
  return async () => {
    next = Math.max(Date.now(), next + gap);
    await sleep(next - Date.now());
  };
}

/** Private memory of each process. */
function startSampling(running: Cluster, apartMs: number) {
  const started = Date.now();
  const samples: { second: number; mib: number[] }[] = [];
  const timer = setInterval(() => {
    const pids = [...services.map(running.pidOf), running.storePid()];
    samples.push({
      second: Math.round((Date.now() - started) / 1_000),
      // A restarting process has none.
      mib: pids.map((pid) => (pid === 0 ? 0 : Math.round(memoryOfTree(pid).anonymous / MEBIBYTE))),
    });
  }, apartMs);
  const sumOf = ({ mib }: (typeof samples)[number]) => mib.reduce((sum, value) => sum + value, 0);
  const median = (some: typeof samples) => some.map(sumOf).sort((a, b) => a - b)[some.length >> 1] ?? 0;
  return {
    stop: () => clearInterval(timer),
    /** Growth from the second to the last quarter (the first fills caches). Only samples in which every process ran. */
    growthMiB() {
      const whole = samples.filter(({ mib }) => !mib.includes(0));
      const quarter = Math.floor(whole.length / 4);
      return median(whole.slice(-quarter)) - median(whole.slice(quarter, 2 * quarter));
    },
    table: () =>
      [
        `memory, MiB: second ${[...services, 'store', 'all'].join(' ')}`,
        ...samples.map((sample) => [sample.second, ...sample.mib, sumOf(sample)].join(' ')),
      ].join('\n'),
  };
}
