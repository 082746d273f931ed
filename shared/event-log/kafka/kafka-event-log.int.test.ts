import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { describeEventLog } from '../../../test/harness/event-log/describe-event-log.js';
import { ownOptions } from '../../../test/harness/event-log/kafka-options.js';
import { readAll, startReader } from '../../../test/harness/event-log/reader.js';
import { startTestKafka } from '../../../test/harness/kafka.js';
import { LogUnavailableError, StaleAssignmentError } from '../event-log.js';
import { type KafkaEventLog, type KafkaEventLogOptions, openKafkaEventLog } from './kafka-event-log.js';

const RAW = 'requests.raw';
const kafka = await startTestKafka();
afterAll(() => kafka?.stop());

describe.skipIf(!kafka)('on Kafka', () => {
  const options = (change: Partial<KafkaEventLogOptions> = {}) => ownOptions(kafka!.brokers, change);

  describeEventLog(
    'Kafka',
    async () => {
      const own = options();
      let log = await openKafkaEventLog(own);
      return {
        log,
        async reopen() {
          await log.close();
          log = await openKafkaEventLog(own);
          return log;
        },
        async destroy() {
          await log.close();
          await deleteTopics(own);
        },
      };
    },
    { patienceMs: 20_000, quietMs: 500, modelRuns: 3 },
  );

  describe('the event log on Kafka', () => {
    const logs: KafkaEventLog[] = [];
    afterEach(async () => {
      await Promise.all(logs.splice(0).map((log) => log.close()));
    });
    const open = async (own: KafkaEventLogOptions) => {
      const log = await openKafkaEventLog(own);
      logs.push(log);
      return log;
    };

    it('creates its topics once, even if several processes start together', async () => {
      const own = options();
      const opened = await Promise.all([open(own), open(own), open(own)]);
      for (const log of opened) expect((await log.offsets(RAW)).size).toBe(3);
      for (const topic of ['control.events', 'requests.dead'] as const) {
        expect((await opened[0]!.offsets(topic)).size).toBe(1);
      }
    });

    it('keeps the created partitions: another configured number is ignored with a warning', async () => {
      const own = options();
      await open(own);
      const warn = vi.fn();
      const logger = { warn } as unknown as NonNullable<KafkaEventLogOptions['logger']>;
      const again = await open({ ...own, partitions: 5, logger });
      expect((await again.offsets(RAW)).size).toBe(3);
      expect(warn.mock.calls[0]![0]).toEqual({ topic: RAW, kept: 3, asked: 5 });
    });

    it('leaves no connection open after the positions of several partitions were read', async () => {
      const sockets = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;
      const own = options();
      const log = await open(own);
      await log.append(
        RAW,
        records(30).map(({ value }) => ({ key: `${value}`, value })),
      );
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.records).toHaveLength(30), 10_000);
      const consumer = await reader.consumer;
      for (const { partition, offset } of reader.records)
        await consumer.commit(partition, { offset: offset + 1, metadata: '' });
      await reader.stop();
      await log.close();
      const before = sockets();
      const again = await openKafkaEventLog(own);
      expect(await again.positions(RAW, 'g')).toHaveLength(3);
      await again.close();
      await vi.waitFor(() => expect(sockets()).toBe(before), 2_000);
    });

    it('reports in one error that no broker answers', async () => {
      const nowhere = openKafkaEventLog(options({ brokers: ['127.0.0.1:1'] }));
      await expect(nowhere).rejects.toThrow('event log: no broker of 127.0.0.1:1 answers');
      await expect(nowhere).rejects.toBeInstanceOf(LogUnavailableError);
    });

    it('is caught up if the last offset is the marker of a transaction, and continues', async () => {
      const own = options();
      const log = await open(own);
      await inTransaction(own, 'control.events', 'one');
      await vi.waitFor(async () =>
        expect((await log.offsets('control.events')).get(0)).toEqual({ oldest: 0, next: 2 }),
      );
      const seen: string[] = [];
      const tail = await log.tail({
        topic: 'control.events',
        onRecords: (batch) => void seen.push(...batch.map(({ value }) => value.toString())),
        onCrash() {},
      });
      await tail.caughtUp;
      await log.append('control.events', [{ key: 'k', value: Buffer.from('two') }]);
      await vi.waitFor(() => expect(seen).toEqual(['one', 'two']), 10_000);
    });

    it('continues at the oldest record if the committed or requested one has been deleted', async () => {
      const own = options();
      const log = await open(own);
      const { partition } = (await log.append(RAW, records(5)))[0]!;
      const first = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(first.records).toHaveLength(5), 10_000);
      await (await first.consumer).commit(partition, { offset: 1, metadata: '' });
      await first.stop();
      await withAdmin(own, async (admin) => {
        const topic = own.topicPrefix + RAW;
        // kafkajs's admin must know the topic.
        await admin.fetchTopicOffsets(topic);
        await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: '3' }] });
      });
      expect((await log.offsets(RAW)).get(partition)).toEqual({ oldest: 3, next: 5 });
      const second = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(second.offsets()).toEqual([3, 4]), 10_000);

      const tailed = await readAll(log, RAW, { from: 1 });
      expect(tailed.map(({ offset }) => offset)).toEqual([3, 4]);
    });

    it('writes to and reads partitions that are added at run time, in the group and in a tail', {
      timeout: 150_000,
    }, async () => {
      const own = options();
      const log = await open(own);
      const readers = [1, 2].map(() => startReader(log, { topic: RAW, group: 'g' }));
      const tailed: number[] = [];
      await log.tail({
        topic: RAW,
        onRecords: (batch) => void tailed.push(...batch.map(({ partition }) => partition)),
        onCrash() {},
      });
      const owned = () => readers.flatMap((reader) => [...reader.owned]).sort();
      await vi.waitFor(() => expect(owned()).toEqual([0, 1, 2]), 20_000);
      await withAdmin(own, async (admin) => {
        const topic = own.topicPrefix + RAW;
        await admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] });
      });
      await vi.waitFor(() => expect(owned()).toEqual([0, 1, 2, 3, 4]), 60_000);
      const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`);
      await vi.waitFor(
        async () => {
          await log.append(
            RAW,
            keys.map((key) => ({ key, value: Buffer.from('later') })),
          );
          const read = new Set(readers.flatMap(({ records }) => records.map(({ partition }) => partition)));
          expect([...read].sort()).toEqual([0, 1, 2, 3, 4]);
          expect([...new Set(tailed)].sort()).toEqual([0, 1, 2, 3, 4]);
        },
        { timeout: 60_000, interval: 500 },
      );
      expect(readers.flatMap(({ crashes }) => crashes)).toEqual([]);
    });

    it('recreates lost topics at run time, but never control.events, whose loss it reports', {
      timeout: 150_000,
    }, async () => {
      const own = options({ ackTimeoutMs: 2_000 });
      const log = await open(own);
      const topic = (name: string) => own.topicPrefix + name;
      const lost = [topic('requests.dead'), topic('control.events')];
      await withAdmin(own, (admin) => admin.deleteTopics({ topics: lost }));
      await vi.waitFor(() => log.append('requests.dead', records(1)), { timeout: 60_000, interval: 500 });
      await vi.waitFor(
        async () => {
          const gone = log.append('control.events', records(1));
          await expect(gone).rejects.toThrow(LogUnavailableError);
          await expect(gone).rejects.toThrow(/have no topic .*control\.events any more/);
        },
        { timeout: 60_000, interval: 500 },
      );
      await withAdmin(own, async (admin) => {
        const there = await admin.listTopics();
        expect(lost.map((name) => there.includes(name))).toEqual([true, false]);
      });
    });

    it('a stopping consumer can commit in onRevoked, but not afterwards', async () => {
      const log = await open(options());
      const { partition } = (await log.append(RAW, records(1)))[0]!;
      const called: string[] = [];
      const consumer = await log.consume({
        topic: RAW,
        group: 'g',
        onRecords: async () => void called.push('records'),
        async onRevoked(revoked) {
          if (revoked !== partition) return;
          called.push('revoked');
          await consumer.commit(partition, { offset: 1, metadata: 'last' });
        },
        onCrash: (error) => void called.push(error.message),
      });
      await vi.waitFor(() => expect(called).toEqual(['records']), 10_000);
      await consumer.stop();
      expect(called).toEqual(['records', 'revoked']);
      expect((await log.committed(RAW, 'g')).get(partition)).toEqual({ offset: 1, metadata: 'last' });
      const late = consumer.commit(partition, { offset: 0, metadata: 'late' });
      await expect(late).rejects.toBeInstanceOf(StaleAssignmentError);
    });

    it('refuses a commit with more metadata than the brokers store', async () => {
      const log = await open(options());
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.owned.size).toBe(3), 10_000);
      const consumer = await reader.consumer;
      await consumer.commit(0, { offset: 0, metadata: 'x'.repeat(4096) });
      const long = consumer.commit(0, { offset: 0, metadata: 'x'.repeat(4097) });
      await expect(long).rejects.toBeInstanceOf(RangeError);
      expect((await log.committed(RAW, 'g')).get(0)?.metadata).toHaveLength(4096);
    });

    it('accepts many records of 1 MB at once, and a single one of 7 MB', async () => {
      const log = await open(options({ maxPendingBytes: 8 * 1024 ** 2 }));
      const many = Array.from({ length: 30 }, () =>
        log.append(RAW, [{ key: 'k', value: Buffer.alloc(1024 ** 2, 1) }]),
      );
      await Promise.all(many);
      await log.append(RAW, [{ key: 'k', value: Buffer.alloc(7 * 1024 ** 2, 2) }]);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.records).toHaveLength(31), 20_000);
      expect(reader.records.at(-1)!.value.equals(Buffer.alloc(7 * 1024 ** 2, 2))).toBe(true);
    });

    it('closes after the appends in progress; later calls are refused', async () => {
      const own = options();
      const log = await open(own);
      const appends = Array.from({ length: 50 }, () => log.append(RAW, records(1)));
      const closing = log.close();
      expect(await Promise.all(appends)).toHaveLength(50);
      await closing;
      await expect(log.append(RAW, records(1))).rejects.toBeInstanceOf(LogUnavailableError);
      await expect(log.offsets(RAW)).rejects.toBeInstanceOf(LogUnavailableError);
    });
  });
});

function records(count: number) {
  return Array.from({ length: count }, (_, i) => ({ key: 'k', value: Buffer.from(`${i}`) }));
}

async function inTransaction(own: KafkaEventLogOptions, topic: string, value: string): Promise<void> {
  const producer = client(own).producer({
    transactionalId: own.topicPrefix,
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic: own.topicPrefix + topic, messages: [{ key: 'k', value }] });
  await transaction.commit();
  await producer.disconnect();
}

function client({ brokers }: KafkaEventLogOptions): Kafka {
  return new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
}

async function withAdmin(own: KafkaEventLogOptions, work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const admin = client(own).admin();
  await admin.connect();
  await work(admin).finally(() => admin.disconnect());
}

async function deleteTopics(own: KafkaEventLogOptions): Promise<void> {
  await withAdmin(own, async (admin) => {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(own.topicPrefix));
    await admin.deleteTopics({ topics });
  });
}
