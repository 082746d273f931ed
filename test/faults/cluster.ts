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
 * The services as separate processes on real Kafka. Without a ClickHouse server they share the embedded engine's child process, behind
 * a proxy that can cut the connection.
 */
export interface Cluster {
  readonly kafka: TestKafka;
  readonly clickhouseProxy: TcpProxy;
  /** Connected directly, without the proxy: for checks of the stored data. */
  readonly clickhouse: ClickHouse;
  readonly credentials: Pick<Credentials, 'ingest_url' | 'ingest_key' | 'api_key'>;
  /** Ingest key of a second website with a hostile owner. */
  readonly hostileKey: string;
  /** Prefix of the names of topics and groups. */
  readonly topicPrefix: string;
  /** Services whose /readyz does not answer 200 now. */
  notReady(): Promise<string[]>;
  /** Adds a partition to the topic while everything runs; default: `requests.raw`. */
  addPartition(topic?: TopicName): Promise<void>;
  /** Runs `npm run admin` with these arguments. @returns its output. */
  admin(...words: string[]): Promise<string>;
  /** Runs many commands of the operator. */
  operate<T>(work: (instance: Pick<Instance, 'get' | 'post'>) => Promise<T>): Promise<T>;
  /** Addresses of the API's replicas. */
  readonly apis: readonly string[];
  /** Output of the service so far. */
  output(service: string): string;
  pidOf(service: string): number;
  /** Process id of the store. */
  storePid(): number;
  openLog(): Promise<EventLog>;
  /** Resets the group (default: the enrichers') to the oldest record; no member may run. */
  forgetCommits(group?: string): Promise<void>;
  start(service: string, environment?: Record<string, string>): Promise<void>;
  /** SIGKILL. */
  kill(service: string): Promise<void>;
  /** SIGTERM; throws with the last output if the exit code is not 0. */
  stop(service: string): Promise<void>;
  /** Starts stopped services and ends temporary ones, after any test. */
  restore(): Promise<void>;
  shutDown(): Promise<void>;
}

/** Start of a broker, an engine, five services and some commands, on busy cores. */
export const CLUSTER_START_MS = 300_000;
const LOG_PATIENCE_MS = 60_000;

/** Lines of output in the error of a service that failed. */
const LAST_LINES = 60;

const PARTITIONS = 6;
/** Enough for all rounds that add one. */
const MOST_PARTITIONS = 10;

/** Ports do not change over restarts, so addresses stay valid. */
interface Slot {
  readonly name: ServiceName;
  readonly environment: Record<string, string>;
  running: RunningService | null;
  /** It has ended without a command. */
  ended: boolean;
}

export interface ClusterOptions {
  /** Services that run; several of one kind are numbered from 1. `apis` and `hostileKey` need replicas of the API. */
  readonly always: readonly string[];
  /** Services that a fault may start temporarily. */
  readonly visitors: readonly string[];
  /** Additional variables of every service. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Programs that run in place of a service's own. */
  readonly mains?: Partial<Record<ServiceName, string>>;
}

/** The whole pipeline, from an upload to an answer. */
const PIPELINE: ClusterOptions = {
  always: ['ingest', 'api-1', 'api-2', 'enricher-1', 'enricher-2'],
  visitors: ['enricher-3'],
};

/** @returns null if there is no broker. */
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
  // Rounds of faults would reach the hourly limits of smaller plans.
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
      throw new Error(`${service} ended with ${code}, ${tookMs} ms after the stop signal\n${last}`);
    },
    output: (service) => slots.get(service)?.running?.output() ?? '',
    pidOf: (service) => slotOf(service).running?.pid ?? 0,
    storePid: () => engine.pid() ?? 0,
    // As in the services: new brokers may not answer yet.
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
