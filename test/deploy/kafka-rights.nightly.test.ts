import { Kafka, logLevel } from 'kafkajs';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  DETECTOR_GROUP,
  ENRICHER_GROUP,
  JOBS_GROUP,
  NOTIFICATIONS_GROUP,
} from '../../shared/event-log/consumer-groups.js';
import type { Commit, EventLog } from '../../shared/event-log/event-log.js';
import { openKafkaEventLog } from '../../shared/event-log/kafka/kafka-event-log.js';
import { type TopicName, topics } from '../../shared/event-log/topics.js';
import { checkBrokers } from '../../shared/service/check-stores.js';
import { ownOptions } from '../harness/event-log/kafka-options.js';
import { createLocalBroker, type LocalBroker } from '../harness/kafka-broker.js';
import { kafkaClassPath } from '../harness/kafka-jars.js';
import { rightsOfLogins, toAcl } from './kafka-rights.js';

/** On brokers with an authorizer, each login of docs/install.md has the rights of its service and no others. */

const LOGINS = ['ingest', 'enricher', 'detector', 'jobs', 'api', 'admin', 'keda'];
const classPath = await kafkaClassPath();
if (classPath === null && process.env.CI) throw new Error('no Java with the jars of Kafka');

describe.skipIf(classPath === null)('on brokers with an authorizer', { timeout: 120_000 }, () => {
  let broker: LocalBroker;
  const open: EventLog[] = [];

  beforeAll(async () => {
    broker = await createLocalBroker(classPath!, LOGINS);
    await broker.start();
    const admin = new Kafka({ brokers: [broker.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createAcls({ acl: rightsOfLogins().map(toAcl) });
    await admin.disconnect();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(open.map((log) => log.close()));
    await broker?.destroy();
  });

  const sasl = (login: string) => ({ mechanism: 'plain' as const, username: login, password: login });

  async function openAs(login: string): Promise<EventLog> {
    const log = await openKafkaEventLog(
      ownOptions(broker.loginBrokers!, { topicPrefix: '', sasl: sasl(login), ackTimeoutMs: 5_000 }),
    );
    open.push(log);
    return log;
  }

  const append = (log: EventLog, topic: TopicName) =>
    log.append(topic, [{ key: 'k', value: Buffer.from('v') }]);
  async function follow(log: EventLog, topic: TopicName): Promise<void> {
    const tail = await log.tail({ topic, onRecords() {}, onCrash() {} });
    try {
      await tail.caughtUp;
    } finally {
      await tail.stop();
    }
  }

  test('no service creates topics; the operator’s first command does', async () => {
    for (const service of ['ingest', 'enricher', 'detector', 'jobs', 'api'])
      await expect(openAs(service)).rejects.toThrow();
    // A new topic is not known to all brokers at once; processes wait for it too.
    const log = await vi.waitFor(() => openAs('admin'), { timeout: 60_000, interval: 250 });
    for (const topic of Object.keys(topics) as TopicName[])
      expect((await log.offsets(topic)).size).toBeGreaterThan(0);
  });

  test('a login without the right to read settings logs it, and starts anyway', async () => {
    const log = await openKafkaEventLog(
      ownOptions(broker.loginBrokers!, { topicPrefix: '', sasl: sasl('ingest'), ackTimeoutMs: 5_000 }),
    );
    open.push(log);
    expect(await log.settings()).toMatchObject({ isHidden: true, brokers: [] });
    await checkBrokers(log, pino({ level: 'silent' }));
  });

  test('the operator reads and changes the offsets of enrichers', async () => {
    const log = await openKafkaEventLog(
      ownOptions(broker.loginBrokers!, { topicPrefix: '', sasl: sasl('admin'), ackTimeoutMs: 5_000 }),
    );
    open.push(log);
    await log.moveGroup('requests.raw', ENRICHER_GROUP, new Map([[0, 0]]));
    expect(await log.positions('requests.raw', ENRICHER_GROUP)).toMatchObject([{ committed: 0 }]);
  });

  test('the operator follows and writes the control log, replays dead records, and sends erasures to detectors', async () => {
    const log = await openAs('admin');
    for (const topic of [
      ...(['control.events', 'control.keys', 'requests.dead', 'requests.raw', 'requests.stored'] as const),
      ...(['jobs', 'changes'] as const),
    ] as const)
      await append(log, topic);
    // An erasure waits for the detectors.
    expect(await log.committed('requests.stored', DETECTOR_GROUP)).toEqual(new Map());
    for (const topic of ['control.events', 'control.keys', 'requests.dead'] as const)
      await follow(log, topic);
    await expect(append(log, 'usage')).rejects.toThrow();
  });

  test('ingest appends requests and its usage, follows the control log, and reads no keys', async () => {
    const log = await openAs('ingest');
    for (const topic of ['requests.raw', 'usage', 'uploads'] as const) await append(log, topic);
    for (const topic of ['control.events', 'usage'] as const) await follow(log, topic);
    for (const topic of ['control.events', 'control.keys', 'requests.dead', 'requests.stored'] as const)
      await expect(append(log, topic)).rejects.toThrow();
  });

  test('the enricher consumes, commits, appends dead records and arrivals, and writes no control event', async () => {
    const log = await openAs('enricher');
    let seen: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const commit: Commit = { offset: 1, metadata: 'plan' };
    let partition = -1;
    const consumer = await log.consume({
      topic: 'requests.raw',
      group: ENRICHER_GROUP,
      async onRecords(from) {
        partition = from;
        seen();
      },
      onCrash() {},
    });
    await first;
    await consumer.commit(partition, commit);
    expect((await log.committed('requests.raw', ENRICHER_GROUP)).get(partition)).toEqual(commit);
    for (const topic of ['requests.dead', 'requests.stored', 'changes'] as const) await append(log, topic);
    for (const topic of ['control.events', 'control.keys'] as const) await follow(log, topic);
    await consumer.stop();
    for (const topic of ['control.events', 'control.keys', 'requests.raw', 'usage', 'uploads'] as const)
      await expect(append(log, topic)).rejects.toThrow();
  });

  test('the detector consumes and forwards arrivals, commits, appends alerts, and reads the commits of enrichers', async () => {
    const log = await openAs('detector');
    for (const topic of ['requests.stored', 'changes'] as const) await append(log, topic);
    let seen: (partition: number) => void = () => {};
    const first = new Promise<number>((resolve) => {
      seen = resolve;
    });
    const consumer = await log.consume({
      topic: 'requests.stored',
      group: DETECTOR_GROUP,
      async onRecords(from) {
        seen(from);
      },
      onCrash() {},
    });
    await consumer.commit(await first, { offset: 1, metadata: '' });
    await append(log, 'alerts');
    expect((await log.committed('requests.raw', ENRICHER_GROUP)).size).toBeGreaterThan(0);
    expect((await log.offsets('requests.raw')).size).toBeGreaterThan(0);
    for (const topic of ['control.events', 'control.keys'] as const) await follow(log, topic);
    await consumer.stop();
    for (const topic of ['control.events', 'control.keys', 'requests.raw', 'requests.dead', 'usage'] as const)
      await expect(append(log, topic)).rejects.toThrow();
  });

  test.each([
    ['requests', 'jobs', JOBS_GROUP],
    ['alerts', 'alerts', NOTIFICATIONS_GROUP],
  ] as const)(
    'the jobs service consumes %s, commits and alerts, and writes nothing else',
    async (_, from, group) => {
      const log = await openAs('jobs');
      let assigned: (partition: number) => void = () => {};
      const first = new Promise<number>((resolve) => {
        assigned = resolve;
      });
      const consumer = await log.consume({
        topic: from,
        group,
        async onAssigned(partition) {
          assigned(partition);
        },
        async onRecords() {},
        onCrash() {},
      });
      await consumer.commit(await first, { offset: 0, metadata: '' });
      for (const topic of ['control.events', 'control.keys'] as const) await follow(log, topic);
      await consumer.stop();
      const written: readonly TopicName[] = ['alerts', 'changes'];
      for (const topic of written) await append(log, topic);
      for (const topic of (Object.keys(topics) as TopicName[]).filter((each) => !written.includes(each)))
        await expect(append(log, topic)).rejects.toThrow();
    },
  );

  test('the API writes and follows the control log and the counts of calls, and no request', async () => {
    const log = await openAs('api');
    for (const topic of ['control.events', 'control.keys', 'usage', 'changes'] as const) {
      await append(log, topic);
      await follow(log, topic);
    }
    await follow(log, 'uploads');
    for (const topic of ['requests.raw', 'requests.dead', 'requests.stored', 'uploads', 'alerts'] as const)
      await expect(append(log, topic)).rejects.toThrow();
  });

  test('KEDA reads only the lag', async () => {
    const kafka = new Kafka({
      brokers: [broker.loginBrokers!],
      sasl: sasl('keda'),
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
    });
    const admin = kafka.admin();
    await admin.connect();
    expect((await admin.fetchTopicOffsets('requests.raw')).length).toBeGreaterThan(0);
    const [lag] = await admin.fetchOffsets({ groupId: ENRICHER_GROUP, topics: ['requests.raw'] });
    expect(lag!.partitions.some(({ offset }) => offset === '1')).toBe(true);
    await expect(admin.fetchTopicOffsets('control.events')).rejects.toThrow();
    await admin.disconnect();
  });
});
