import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { type HostileUpload, hostileUploads, monthsOf, sendHostile } from './hostile-uploads.js';
import { untilCaughtUp } from './settle.js';
import type { UploadStream } from './stream.js';

/** Faults during uploads. After each fault everything runs again. */
export interface Fault {
  readonly name: string;
  /** Stops the broker: only possible with our own. */
  readonly ofBroker?: boolean;
  /** Afterwards the log lacks stored records, so a replay can not restore all rows. */
  readonly losesRecords?: boolean;
  /** Whether this cluster supports the fault. */
  readonly possible?: (cluster: Cluster) => boolean;
  /**
   * @param random in [0, 1), for times
   * @param stream the uploads that run meanwhile
   */
  strike(
    cluster: Cluster,
    random: () => number,
    stream: Pick<UploadStream, 'pause' | 'resume'>,
  ): Promise<void>;
}

export const killAndRestart = (service: string): Fault => ({
  name: `kill -9 ${service}`,
  async strike(cluster, random) {
    await cluster.kill(service);
    await sleep(500 * random());
    await cluster.start(service);
  },
});

const SHORTEST_OUTAGE_MS = 1_000;
const outage = (random: () => number) => sleep(SHORTEST_OUTAGE_MS + 3_000 * random());

const hostile = (upload: HostileUpload): Fault => ({
  name: upload.name,
  strike: ({ credentials, hostileKey }) =>
    sendHostile({ ingestUrl: credentials.ingest_url, ingestKey: hostileKey }, upload),
});

const BACKFILL_MONTHS = 24;
const BACKFILL_UPLOADS = 60;

/** Uploads old logs of many months until `work` is done. */
async function whileBackfilling(cluster: Cluster, work: () => Promise<void>): Promise<void> {
  const to = { ingestUrl: cluster.credentials.ingest_url, ingestKey: cluster.hostileKey };
  let going = true;
  const backfill = async () => {
    for (let upload = 0; going && upload < BACKFILL_UPLOADS; upload += 1) {
      const body = () => monthsOf(BACKFILL_MONTHS, (month) => ({ path: `/backfill/${upload}/${month}` }));
      await sendHostile(to, { name: 'backfill', body });
      await sleep(50);
    }
  };
  const sending = backfill();
  sending.catch(() => {});
  try {
    await work();
  } finally {
    going = false;
    await sending;
  }
}

const TAIL_RECORDS = 3;

/** Cuts the first partition with enough records. All lost records are stored, so no rows are lost. */
async function loseTail(cluster: Cluster): Promise<void> {
  const log = await cluster.openLog();
  const extents = await log.offsets('requests.raw').finally(() => log.close());
  const found = [...extents].find(([, { oldest, next }]) => next - oldest > TAIL_RECORDS);
  if (found === undefined) return;
  const [partition, { next }] = found;
  await cluster.kafka.stopBroker?.('SIGKILL');
  cluster.kafka.cutTail?.(`${cluster.topicPrefix}requests.raw`, partition, next - TAIL_RECORDS);
  // The documented procedure: stop them, accept the log as it is, start them again.
  await Promise.all([cluster.kill('enricher-1'), cluster.kill('enricher-2')]);
  await cluster.kafka.startBroker?.();
  await cluster.admin('log', 'accept', '--partition', String(partition));
  await Promise.all([cluster.start('enricher-1'), cluster.start('enricher-2')]);
}

export const faults: readonly Fault[] = [
  ...hostileUploads.map(hostile),
  {
    name: 'members come and go while a backfill runs',
    strike: (cluster, random) =>
      whileBackfilling(cluster, async () => {
        await sleep(1_000 * random());
        await cluster.start('enricher-3');
        await cluster.kill('enricher-1');
        await sleep(1_000 * random());
        await cluster.start('enricher-1');
        await cluster.stop('enricher-3');
      }),
  },
  {
    name: 'a partition is added to the live topic',
    async strike(cluster, random) {
      await cluster.addPartition();
      await sleep(2_000 * random());
    },
  },
  {
    name: 'a broker that lost its tail',
    ofBroker: true,
    losesRecords: true,
    possible: ({ kafka }) => kafka.cutTail !== undefined,
    async strike(cluster, _random, stream) {
      await stream.pause();
      await untilCaughtUp(cluster);
      await loseTail(cluster);
      stream.resume();
    },
  },
  killAndRestart('ingest'),
  killAndRestart('enricher-1'),
  killAndRestart('enricher-2'),
  killAndRestart('api-1'),
  {
    name: 'kill -9 both enrichers',
    async strike(cluster) {
      await Promise.all([cluster.kill('enricher-1'), cluster.kill('enricher-2')]);
      await Promise.all([cluster.start('enricher-1'), cluster.start('enricher-2')]);
    },
  },
  {
    name: 'broker killed and started again',
    ofBroker: true,
    async strike(cluster, random) {
      await cluster.kafka.stopBroker?.('SIGKILL');
      await outage(random);
      await cluster.kafka.startBroker?.();
    },
  },
  {
    name: 'broker stopped and started again',
    ofBroker: true,
    async strike(cluster, random) {
      await cluster.kafka.stopBroker?.('SIGTERM');
      await outage(random);
      await cluster.kafka.startBroker?.();
    },
  },
  {
    name: 'ClickHouse refuses connections',
    async strike(cluster, random) {
      cluster.clickhouseProxy.refuse();
      await outage(random);
      cluster.clickhouseProxy.pass();
    },
  },
  {
    name: 'ClickHouse breaks off and is slow',
    async strike(cluster, random) {
      cluster.clickhouseProxy.refuse();
      cluster.clickhouseProxy.slow(300);
      await outage(random);
      cluster.clickhouseProxy.pass();
    },
  },
  {
    name: 'a third enricher comes and goes',
    async strike(cluster, random) {
      await cluster.start('enricher-3');
      await sleep(2_000 * random());
      await cluster.stop('enricher-3');
    },
  },
  {
    name: 'an enricher leaves and comes back',
    async strike(cluster, random) {
      await cluster.stop('enricher-2');
      await sleep(1_000 * random());
      await cluster.start('enricher-2');
    },
  },
];
