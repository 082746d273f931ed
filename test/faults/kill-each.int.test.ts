import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../deploy/demo/traffic/random.js';
import { expectEveryRowOnce } from '../harness/every-row-once.js';
import { CLUSTER_START_MS, type Cluster, startCluster } from './cluster.js';
import { killAndRestart } from './faults.js';
import { expectAllReady, expectEqualControlStates, untilCaughtUp } from './settle.js';
import { startUploadStream } from './stream.js';

/** One kill of each process on a real Kafka. `npm run test:nightly` and `npm run test:faults` have more faults and rounds. */

const SEED = process.env.FAULT_SEED ?? String(Date.now());
const SERVICES = ['ingest', 'enricher-1', 'detector-1', 'jobs-1', 'api-1'];

let cluster: Cluster | null;
beforeAll(async () => {
  cluster = await startCluster({ always: [...SERVICES, 'api-2', 'enricher-2'], visitors: [] });
}, CLUSTER_START_MS);
afterAll(() => cluster?.shutDown());

test(`each process is killed while uploads stream in: every row is stored once (FAULT_SEED=${SEED})`, {
  timeout: 300_000,
}, async (context) => {
  if (cluster === null) return context.skip('no Kafka broker can be had');
  const random = createRandom(SEED);
  const draw = () => random.next();
  const stream = startUploadStream(cluster, 'kill', draw);
  try {
    for (const service of SERVICES) {
      await sleep(500 + 500 * draw());
      await killAndRestart(service).strike(cluster, draw, stream);
    }
    await sleep(500);
  } finally {
    await stream.stop();
  }
  await untilCaughtUp(cluster);
  await expectAllReady(cluster);
  const answered = [...stream.deliveries.values()].filter((delivery) => delivery.answered > 0);
  expect(answered.length).toBeGreaterThan(10);
  await expectEveryRowOnce(cluster.clickhouse, stream.deliveries);
  await expectEqualControlStates(cluster, 'kill.example.net');
});
