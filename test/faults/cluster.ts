import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import type { Instance } from '../../deploy/admin/instance/instance.js';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { loadConfig } from '../../shared/config.js';
import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { TopicName } from '../../shared/event-log/topics.js';
import { createLogger } from '../../shared/logging/log.js';
import { openEventLog } from '../../shared/service/open-event-log.js';
import { waitFor } from '../../shared/service/wait-for.js';
import { type ClickHouse, connectClickHouse } from '../../shared/store/client.js';
import { migrate } from '../../shared/store/migrate.js';
import { freePort } from '../harness/free-port.js';
import { startTestKafka, type TestKafka } from '../harness/kafka.js';
import { portVariable, type RunningService, type ServiceName, startService } from '../harness/processes.js';
import type { Credentials } from '../harness/standalone.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { createWebsite, listens, operate, runAdmin, untilLogOpens } from './operate.js';

/**
 * The services as separate processes on real Kafka. Where no ClickHouse server can be had, they share the embedded engine's
 * child, behind a proxy that can take it away from them.
 */
export interface Cluster {
  readonly kafka: TestKafka;
  readonly clickhouseProxy: TcpProxy;
  /** Past the proxy: the truth. */
  readonly clickhouse: ClickHouse;
  readonly credentials: Pick<Credentials, 'ingest_url' | 'ingest_key' | 'api_key'>;
  /** Ingest key of a second website, whose owner means harm. */
  readonly hostileKey: string;
  /** Put before the names of topics and groups. */
  readonly topicPrefix: string;
  /** Services whose /readyz does not answer 200 now. */
  notReady(): Promise<string[]>;
  /** One more partition of the topic, while everything runs; default: of `requests.raw`. */
  addPartition(topic?: TopicName): Promise<void>;
  /** Runs `npm run admin` with these words. @returns what it prints. */
  admin(...words: string[]): Promise<string>;
  /** The operator's commands, many of them. */
  operate<T>(work: (instance: Pick<Instance, 'get' | 'post'>) => Promise<T>): Promise<T>;
  /** Addresses of the API's replicas. */
  readonly apis: readonly string[];
  /** What the service has written so far. */
  output(service: string): string;
  pidOf(service: string): number;
  /** Of the store's own process. */
  storePid(): number;
  openLog(): Promise<EventLog>;
  /** Makes the group (default: the enrichers') begin at the oldest record again; none of it may run. */
  forgetCommits(group?: string): Promise<void>;
  start(service: string, environment?: Record<string, string>): Promise<void>;
  /** SIGKILL. */
  kill(service: string): Promise<void>;
  /** SIGTERM; throws with its last output where it does not end with 0. */
  stop(service: string): Promise<void>;
  /** Starts what does not run, and ends what comes for a while only: whatever a test before has left. */
  restore(): Promise<void>;
  shutDown(): Promise<void>;
}

/** A broker, an engine, five services and some commands, on busy cores. */
export const CLUSTER_START_MS = 300_000;
const LOG_PATIENCE_MS = 60_000;

/** Of what a service wrote, where it did not end as it should. */
const LAST_LINES = 60;

const PARTITIONS = 6;
/** Enough for every round to add one in turn with the others. */
const MOST_PARTITIONS = 10;

/** Ports stay over restarts: senders and readers know one address. */
interface Slot {
  readonly name: ServiceName;
  readonly environment: Record<string, string>;
  running: RunningService | null;
  /** It runs no more, though nobody has ended it. */
  ended: boolean;
}

export interface ClusterOptions {
  /** Services that run; several of one kind are numbered from 1. Without replicas of the API, `apis` and `hostileKey` are of no use. */
  readonly always: readonly string[];
  /** That a fault may start for a while. */
  readonly visitors: readonly string[];
  /** Of every service, besides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Programs that are run in place of a service's own. */
  readonly mains?: Partial<Record<ServiceName, string>>;
}

/** From an upload to an answer. */
const PIPELINE: ClusterOptions = {
  always: ['ingest', 'api-1', 'api-2', 'enricher-1', 'enricher-2'],
  visitors: ['enricher-3'],
};

/** @returns null where no broker can be had. */
export async function startCluster({
  always,
  visitors,
  environment: given = {},
  mains = {},
}: ClusterOptions = PIPELINE): Promise<Cluster | null> {
  const kafka = await startTestKafka();
  if (kafka === null) return null;
  const directory = await mkdtemp(join(tmpdir(), 'loglane-faults-'));
  const logger = createLogger('silent', 'test');
  const engine = await startEmbeddedClickHouse({ directory: join(directory, 'clickhouse'), logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 1024 ** 3 });
  await migrate(clickhouse, { logger });
  const url = new URL(engine.url);
  const clickhouseProxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(clickhouseProxy.port);
  const shared = {
    KAFKA_BROKERS: kafka.brokers,
    KAFKA_TOPIC_PREFIX: `faults-${process.pid}-${Date.now()}.`,
    EVENT_LOG_PARTITIONS: String(PARTITIONS),
    CLICKHOUSE_URL: url.href,
    LOG_LEVEL: 'info',
    ...given,
  };

  const ports = new Map<string, number>();
  for (const name of [...always, ...visitors]) ports.set(name, await freePort());
  const slots = new Map<string, Slot>();
  for (const [service, port] of ports) {
    const name = service.replace(/-\d$/, '') as ServiceName;
    const environment = { ...shared, [portVariable[name]]: String(port) };
    slots.set(service, { name, environment, running: null, ended: false });
  }
  const slotOf = (service: string): Slot => {
    const slot = slots.get(service);
    if (slot === undefined) throw new Error(`no service ${service}`);
    return slot;
  };
  const start = async (service: string, more: Record<string, string> = {}): Promise<void> => {
    const slot = slotOf(service);
    const environment = { ...slot.environment, ...more };
    const running = await startService(slot.name, environment, { main: mains[slot.name] });
    slot.running = running;
    slot.ended = false;
    void running.gone.then(() => {
      slot.ended ||= slot.running === running;
    });
  };

  const environment = {
    ...shared,
    PUBLIC_INGEST_URL: `http://127.0.0.1:${ports.get('ingest')}/v1/logs`,
    PUBLIC_API_URL: `http://127.0.0.1:${ports.get('api-1')}`,
  };
  await untilLogOpens(shared);
  const admin = (...words: string[]) => runAdmin(environment, words);
  const credentials = JSON.parse(await admin('demo-organisation')) as Credentials;
  // Rounds of faults reach what smaller plans may send and call in an hour.
  const [organisation] = JSON.parse(await admin('organisations', 'list', '--json')) as { id: string }[];
  await admin('plan', 'set', organisation!.id, 'unlimited');
  await Promise.all(always.map((service) => start(service)));

  const apis = ['api-1', 'api-2'].map((service) => `http://127.0.0.1:${ports.get(service)}`);
  const hostileKey = always.includes('api-1')
    ? await createWebsite(apis[0]!, credentials.api_key, 'hostile.example.net')
    : '';

  async function withKafkaAdmin<T>(work: (client: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
    const client = new Kafka({ brokers: [kafka!.brokers], logLevel: logLevel.NOTHING }).admin();
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.disconnect();
    }
  }

  return {
    kafka,
    clickhouseProxy,
    clickhouse,
    credentials,
    hostileKey,
    topicPrefix: shared.KAFKA_TOPIC_PREFIX,
    apis,
    admin,
    async notReady() {
      const running = [...slots].filter(([, slot]) => slot.running !== null).map(([service]) => service);
      const ready = await Promise.all(
        running.map((service) =>
          fetch(`http://127.0.0.1:${ports.get(service)}/readyz`).then(
            ({ status }) => status === 200,
            () => false,
          ),
        ),
      );
      return running.filter((_, index) => !ready[index]);
    },
    operate: (work) => operate(environment, work),
    addPartition: (name = 'requests.raw') =>
      withKafkaAdmin(async (client) => {
        const topic = shared.KAFKA_TOPIC_PREFIX + name;
        const { topics } = await client.fetchTopicMetadata({ topics: [topic] });
        const count = topics[0]!.partitions.length + 1;
        if (count <= MOST_PARTITIONS) await client.createPartitions({ topicPartitions: [{ topic, count }] });
      }),
    start,
    async kill(service) {
      await slotOf(service).running?.kill();
      slotOf(service).running = null;
    },
    async stop(service) {
      const { running } = slotOf(service);
      if (running === null) throw new Error(`${service} does not run`);
      const asked = performance.now();
      const code = await running.stop();
      slotOf(service).running = null;
      if (code === 0) return;
      const tookMs = Math.round(performance.now() - asked);
      const last = running.output().split('\n').slice(-LAST_LINES).join('\n');
      throw new Error(`${service} ended with ${code}, ${tookMs} ms after it was told to stop\n${last}`);
    },
    output: (service) => slots.get(service)?.running?.output() ?? '',
    pidOf: (service) => slotOf(service).running?.pid ?? 0,
    storePid: () => engine.pid() ?? 0,
    // As the services do: brokers that were just started may not answer yet.
    openLog: () =>
      waitFor('the event log', () => openEventLog(loadConfig(shared), logger), {
        logger,
        stopping: AbortSignal.timeout(LOG_PATIENCE_MS),
      }),
    async forgetCommits(group = ENRICHER_GROUP) {
      await withKafkaAdmin((client) => client.deleteGroups([shared.KAFKA_TOPIC_PREFIX + group]));
    },
    async restore() {
      clickhouseProxy.pass();
      if (kafka.startBroker !== undefined && !(await listens(kafka.brokers))) await kafka.startBroker();
      for (const [service, slot] of slots) {
        const wanted = always.includes(service);
        if (!wanted && slot.running !== null) {
          await slot.running.stop();
          slot.running = null;
        }
        if (wanted && (slot.running === null || slot.ended)) await start(service);
      }
    },
    async shutDown() {
      await Promise.all([...slots.values()].map(({ running }) => running?.kill()));
      await clickhouse.close();
      await clickhouseProxy.stop();
      await engine.stop();
      await kafka.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
