import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownOptions } from '../../../test/harness/event-log/kafka-options.js';
import { readAll, startReader } from '../../../test/harness/event-log/reader.js';
import { startTestKafka } from '../../../test/harness/kafka.js';
import { LogDivergedError, type LogRecord, LogUnavailableError } from '../event-log.js';
import { createCluster } from './cluster.js';
import { type KafkaEventLog, type KafkaEventLogOptions, openKafkaEventLog } from './kafka-event-log.js';
import { acceptPosition, type LogPosition } from './log-positions.js';

const RAW = 'requests.raw';
const kafka = await startTestKafka();
afterAll(() => kafka?.stop());

describe.skipIf(!kafka)('the event log on Kafka, under faults', () => {
  let options: KafkaEventLogOptions;
  let logs: KafkaEventLog[];
  let log: KafkaEventLog;
  let children: ChildProcess[];

  const open = async (change: Partial<KafkaEventLogOptions> = {}) => {
    const opened = await openKafkaEventLog({ ...options, ...change });
    logs.push(opened);
    return opened;
  };
  const eventually = <T>(check: () => T | Promise<T>, timeout = 30_000) =>
    vi.waitFor(check, { timeout, interval: 20 });

  beforeEach(async () => {
    options = ownOptions(kafka!.brokers, { ackTimeoutMs: 3_000, maxPendingBytes: 1024 ** 2 });
    logs = [];
    children = [];
    log = await open();
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(logs.map((one) => one.close()));
  });

  /** Runs test/harness/event-log/kafka-member.ts; yields its output. */
  function startMember() {
    const script = fileURLToPath(new URL('../../../test/harness/event-log/kafka-member.ts', import.meta.url));
    const args = ['--import', 'tsx', script, kafka!.brokers, options.topicPrefix];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return { child, lines, tell: (line: string) => child.stdin.write(`${line}\n`) };
  }

  describe.skipIf(!kafka?.stopBroker)('with the broker unavailable', () => {
    it('rejects appends with LogUnavailableError in time, and accepts them when it is back', async () => {
      await log.append(RAW, [record('before')]);
      const seen = startReader(log, { topic: RAW, group: 'g' });
      const tailed: string[] = [];
      const crashes: Error[] = [];
      const tail = await log.tail({
        topic: RAW,
        onRecords: (batch) => void tailed.push(...values(batch)),
        onCrash: (error) => void crashes.push(error),
      });
      await tail.caughtUp;
      await eventually(() => expect(seen.records).toHaveLength(1));
      await kafka!.stopBroker!('SIGKILL');
      const since = Date.now();
      await expect(log.append(RAW, [record('during')])).rejects.toBeInstanceOf(LogUnavailableError);
      expect(Date.now() - since).toBeLessThan(options.ackTimeoutMs + 1_000);
      await kafka!.startBroker!();
      await eventually(() => log.append(RAW, [record('after')]));
      await eventually(() => {
        expect(values(seen.records)).toContain('after');
        expect(tailed).toContain('after');
      });
      expect([...seen.crashes, ...crashes]).toEqual([]);
      const { partition } = seen.records.at(-1)!;
      const consumer = await seen.consumer;
      await eventually(() => consumer.commit(partition, { offset: 1, metadata: 'm' }));
      expect((await log.committed(RAW, 'g')).get(partition)?.metadata).toBe('m');
    });

    it('has every acknowledged append after crashes of the broker under load, in order', async () => {
      const acknowledged: string[] = [];
      let running = true;
      const load = (async () => {
        for (let i = 0; running; i++) {
          const done = () => void acknowledged.push(`v${i}`);
          await log.append(RAW, [record(`v${i}`)]).then(done, () => {});
        }
      })();
      for (let round = 0; round < 2; round++) {
        const before = acknowledged.length;
        await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
        await kafka!.restart!();
      }
      const before = acknowledged.length;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
      running = false;
      await load;
      const kept = values(await readAll(log, RAW));
      const wanted = new Set(acknowledged);
      expect([...new Set(kept)].filter((value) => wanted.has(value))).toEqual(acknowledged);
    });

    it('stores acknowledged appends after a hang, even if an earlier append was stored late', async () => {
      const acknowledged = ['one'];
      await log.append(RAW, [record('one')]);
      await kafka!.signalBroker!('SIGSTOP');
      // The broker executes the request in its socket when it continues. The next append has the same length: with the
      // same producer and sequence number it would count as a repetition.
      await expect(log.append(RAW, [record('two')])).rejects.toBeInstanceOf(LogUnavailableError);
      const three = log.append(RAW, [record('three')]).then(() => acknowledged.push('three'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      await kafka!.signalBroker!('SIGCONT');
      await three.catch(() => {});
      await eventually(() => log.append(RAW, [record('four')]));
      const kept = values(await readAll(log, RAW));
      expect(kept).toEqual(expect.arrayContaining([...acknowledged, 'four']));
    });

    it('detects by its own clock that partitions are lost while the brokers hang, before another member could own them', async () => {
      const { partition } = (await log.append(RAW, [record('0')]))[0]!;
      const cut = startReader(log, { topic: RAW, group: 'g' });
      cut.hold();
      await eventually(() => expect(cut.running).toBe(1));
      await kafka!.signalBroker!('SIGSTOP');
      const hungAt = performance.now();
      const lost = cut.lost.get(partition)!;
      await eventually(() => expect(lost.aborted).toBe(true), 10_000);
      const after = performance.now() - hungAt;
      await kafka!.signalBroker!('SIGCONT');
      // The session ends 6 s after the last accepted heartbeat, which was sent before they hung.
      expect(after).toBeLessThan(6_500);
      cut.release();
      // It rejoins, and its new lease is valid.
      await eventually(async () => {
        expect(cut.lost.get(partition)).not.toBe(lost);
        await (await cut.consumer).commit(partition, { offset: 1, metadata: 'again' });
      });
      expect(cut.lost.get(partition)!.aborted).toBe(false);
      expect(cut.crashes).toEqual([]);
    });

    /** Twenty records of one partition, each in its own batch. The group has read and committed all of them. */
    async function readTwenty() {
      let partition = 0;
      for (let i = 0; i < 20; i++) ({ partition } = (await log.append(RAW, [record(`old ${i}`)]))[0]!);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(reader.records).toHaveLength(20));
      await (await reader.consumer).commit(partition, { offset: 20, metadata: 'done' });
      return { partition, reader };
    }
    async function followedTail() {
      const crashes: Error[] = [];
      const seen: string[] = [];
      const tail = await log.tail({
        topic: RAW,
        onRecords: (batch) => void seen.push(...values(batch)),
        onCrash: (error) => void crashes.push(error),
      });
      await tail.caughtUp;
      return { crashes, seen };
    }
    /** The broker comes back without the records from offset 17 on. */
    async function loseTail(partition: number): Promise<void> {
      await kafka!.stopBroker!('SIGKILL');
      expect(kafka!.cutTail!(options.topicPrefix + RAW, partition, 17)).toBe(17);
      await kafka!.startBroker!();
    }

    /** The operator's recovery: every unread record is then read, and none twice. */
    async function expectAccepted(partition: number, state: LogPosition['state']): Promise<void> {
      const accepted = await log.acceptPosition(RAW, 'g', partition);
      expect(accepted).toMatchObject({ partition, committed: 20, read: 20, state, goesOnAt: 17 });
      expect((await log.positions(RAW, 'g')).map((one) => one.state)).toEqual(['in order']);
      await expect(log.acceptPosition(RAW, 'g', partition)).rejects.toThrow('is in order');
      await eventually(() => log.append(RAW, [record('after')]));
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(values(reader.records)).toContain('after'));
      expect(reader.offsets(partition)[0]).toBe(17);
      expect(values(reader.records).filter((value) => value.startsWith('old'))).toEqual([]);
    }

    it('stops with instructions if the log ends before the commit', {
      timeout: 180_000,
    }, async () => {
      const { partition, reader } = await readTwenty();
      await reader.stop();
      await loseTail(partition);
      const next = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(next.crashes).toHaveLength(1));
      expect(next.crashes[0]).toBeInstanceOf(LogDivergedError);
      expect(next.crashes[0]!.message).toMatch(
        /read up to offset 20, but the log ends at 17.*admin -- log accept/,
      );
      expect(next.records).toEqual([]);
      await next.stop();
      await expectAccepted(partition, 'ends before the last record read');
    });

    it('stops if the log has lost committed records and has grown beyond them again', {
      timeout: 180_000,
    }, async () => {
      const { partition, reader } = await readTwenty();
      await reader.stop();
      await loseTail(partition);
      for (let i = 0; i < 10; i++) await eventually(() => log.append(RAW, [record(`new ${i}`)]));
      const next = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(next.crashes).toHaveLength(1));
      expect(next.crashes[0]).toBeInstanceOf(LogDivergedError);
      expect(next.crashes[0]!.message).toMatch(/read up to offset 20, but other records are there now/);
      expect(next.records).toEqual([]);
      await next.stop();
      await expectAccepted(partition, 'has other records');
    });

    it('the log is accepted although the brokers still list a dead member whose session does not end', {
      timeout: 180_000,
    }, async () => {
      const { partition, reader } = await readTwenty();
      await reader.stop();
      await loseTail(partition);
      const cluster = createCluster(new Kafka({ brokers: [kafka!.brokers], logLevel: logLevel.NOTHING }));
      await cluster.connect();
      const groupId = `${options.topicPrefix}g`;
      const groupProtocols = [{ name: 'any', metadata: Buffer.alloc(0) }];
      const times = { sessionTimeout: 300_000, rebalanceTimeout: 300_000 };
      // A restarted broker first loads its groups.
      const { coordinator, memberId, generationId } = await eventually(async () => {
        const broker = await cluster.findGroupCoordinator({ groupId });
        const joined = await broker.joinGroup({ groupId, memberId: '', groupProtocols, ...times });
        return { coordinator: broker, ...joined };
      });
      await coordinator.syncGroup({ groupId, memberId, generationId, groupAssignment: [] });
      const accepted = await acceptPosition(
        { cluster, topic: options.topicPrefix + RAW, groupId },
        partition,
        undefined,
        2_000,
      );
      await cluster.disconnect();
      expect(accepted).toMatchObject({ partition, goesOnAt: 17 });
      expect((await log.positions(RAW, 'g')).map((one) => one.state)).toEqual(['in order']);
    });

    it('stops a running reader whose log loses its tail, even if it has grown beyond it meanwhile', {
      timeout: 180_000,
    }, async () => {
      const { partition, reader } = await readTwenty();
      const { crashes, seen } = await followedTail();
      await kafka!.stopBroker!('SIGKILL');
      kafka!.cutTail!(options.topicPrefix + RAW, partition, 17);
      const grow = async () => {
        for (let i = 0; i < 20; i++) await eventually(() => log.append(RAW, [record(`new ${i}`)]), 90_000);
      };
      await Promise.all([kafka!.startBroker!(), grow()]);
      await eventually(() => {
        expect(reader.crashes).toHaveLength(1);
        expect(crashes).toHaveLength(1);
      });
      for (const crash of [...reader.crashes, ...crashes]) expect(crash).toBeInstanceOf(LogDivergedError);
      expect([...values(reader.records), ...seen].filter((value) => value.startsWith('new'))).toEqual([]);
    });

    it('continues if a broker was killed and lost nothing', { timeout: 180_000 }, async () => {
      const { reader } = await readTwenty();
      const { crashes, seen } = await followedTail();
      for (let round = 0; round < 2; round++) {
        await kafka!.restart!();
        await eventually(() => log.append(RAW, [record(`new ${round}`)]));
        await eventually(() => {
          expect(values(reader.records)).toContain(`new ${round}`);
          expect(seen).toContain(`new ${round}`);
        });
      }
      expect([...reader.crashes, ...crashes]).toEqual([]);
    });

    it('buffers at most maxPendingBytes; appends that wait for space time out like the rest', async () => {
      await kafka!.signalBroker!('SIGSTOP');
      const appends = Array.from({ length: 40 }, () =>
        log.append(RAW, [{ key: 'k', value: Buffer.alloc(100_000) }]),
      );
      const since = Date.now();
      const outcomes = Promise.allSettled(appends);
      expect(log.pendingBytes()).toBe(1_000_000);
      const results = await outcomes;
      await kafka!.signalBroker!('SIGCONT');
      expect(Date.now() - since).toBeLessThan(options.ackTimeoutMs + 1_000);
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(log.pendingBytes()).toBe(0);
      await eventually(() => log.append(RAW, [record('after')]));
    });
  });

  describe('with a failed member of the group', () => {
    it('killed: others get its partitions, with offset and metadata of its commit, within 10 seconds', async () => {
      const { partition } = (await log.append(RAW, [record('0'), record('1')]))[0]!;
      const first = startMember();
      await eventually(() => expect(first.lines).toContain(`read ${partition} 1`));
      first.tell(`commit ${partition} 1 plan:7`);
      await eventually(() => expect(first.lines).toContain('committed'));
      first.child.kill('SIGKILL');
      const since = Date.now();
      const successor = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(successor.records).toHaveLength(1));
      expect(Date.now() - since).toBeLessThan(10_000);
      expect(successor.assigned.get(partition)).toEqual({ offset: 1, metadata: 'plan:7' });
      expect(successor.offsets(partition)).toEqual([1]);
    });

    it('frozen and back: its commits are refused for partitions that moved', async () => {
      const { partition } = (await log.append(RAW, [record('0'), record('1')]))[0]!;
      const first = startMember();
      await eventually(() => expect(first.lines).toContain(`read ${partition} 1`));
      first.child.kill('SIGSTOP');
      const successor = startReader(log, { topic: RAW, group: 'g' });
      await eventually(() => expect(successor.records).toHaveLength(2));
      await (await successor.consumer).commit(partition, { offset: 2, metadata: 'owner' });
      first.tell(`commit ${partition} 1 late`);
      first.child.kill('SIGCONT');
      await eventually(() => expect(first.lines).toContain('StaleAssignmentError'));
      expect(first.lines).not.toContain('committed');
      await eventually(() => expect(first.lines).toContain(`lost ${partition}`));
      expect((await log.committed(RAW, 'g')).get(partition)).toEqual({ offset: 2, metadata: 'owner' });
    });

    it('busy for longer than a session: keeps its partitions', async () => {
      const { partition } = (await log.append(RAW, [record('0')]))[0]!;
      const busy = startReader(log, { topic: RAW, group: 'g' });
      busy.hold();
      await eventually(() => expect(busy.running).toBe(1));
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      await (await busy.consumer).commit(partition, { offset: 0, metadata: 'still here' });
      expect(busy.owned.size).toBe(3);
      busy.release();
      await eventually(() => expect(busy.records).toHaveLength(1));
    });

    it('busy while another joins: its call ends, and its commit is valid, before the other gets the partition', async () => {
      const { partition } = (await log.append(RAW, [record('0')]))[0]!;
      const one = startReader(log, { topic: RAW, group: 'g' });
      one.hold();
      await eventually(() => expect(one.running).toBe(1));
      const others = [1, 2, 3, 4].map(() => startReader(log, { topic: RAW, group: 'g' }));
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      for (const other of others) expect(other.owned.size).toBe(0);
      await (await one.consumer).commit(partition, { offset: 1, metadata: 'from the call' });
      expect(one.owned.has(partition)).toBe(true);
      one.release();
      const all = [one, ...others];
      await eventually(() => expect(all.reduce((sum, { owned }) => sum + owned.size, 0)).toBe(3));
      const owner = all.find(({ owned }) => owned.has(partition))!;
      expect(owner.assigned.get(partition)).toEqual({ offset: 1, metadata: 'from the call' });
    });

    it('busy while another joins: the other stops without waiting for it', async () => {
      await log.append(RAW, [record('0')]);
      const busy = startReader(log, { topic: RAW, group: 'g' });
      busy.hold();
      await eventually(() => expect(busy.running).toBe(1));
      const other = startReader(log, { topic: RAW, group: 'g' });
      await other.consumer;
      // It has requested to join by then, and gets no response before the busy one joins, too.
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      const stopped = other.stop();
      const late = new Promise((resolve) => setTimeout(resolve, 30_000, 'late'));
      expect(await Promise.race([stopped, late])).not.toBe('late');
      expect([busy.running, other.owned.size]).toEqual([1, 0]);
      busy.release();
      await eventually(() => expect(busy.owned.size).toBe(3));
      expect([...busy.crashes, ...other.crashes]).toEqual([]);
    });
  });
});

function record(value: string) {
  return { key: 'k', value: Buffer.from(value) };
}

function values(records: readonly LogRecord[]): string[] {
  return records.map(({ value }) => value.toString());
}
