import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startReader } from './behaviour-reader.js';
import { type EventLog, type LogRecord, type Position, StaleAssignmentError } from './event-log.js';
import { followHistory, histories, type LogUnderTest } from './model-behaviour.js';
import { partitionOf } from './partition-of.js';
import type { TopicName } from './topics.js';

export interface BehaviourOptions {
  /** Longest wait for something that must happen, a rebalance included. */
  readonly patienceMs?: number;
  /** How long to watch for something that must not happen. */
  readonly quietMs?: number;
  /** Random histories in the model test. */
  readonly modelRuns?: number;
}

const RAW: TopicName = 'requests.raw';

/** What every form of the port guarantees. */
export function describeEventLog(
  name: string,
  open: () => Promise<LogUnderTest>,
  { patienceMs = 5_000, quietMs = 100, modelRuns = 25 }: BehaviourOptions = {},
): void {
  describe(`${name}: an event log`, () => {
    let subject: LogUnderTest;
    let log: EventLog;
    const eventually = <T>(check: () => T | Promise<T>) =>
      vi.waitFor(check, { timeout: patienceMs, interval: 5 });
    const quiet = () => new Promise((resolve) => setTimeout(resolve, quietMs));
    const reader = (group: string, topic: TopicName = RAW) => startReader(log, { topic, group });

    beforeEach(async () => {
      subject = await open();
      log = subject.log;
    });
    afterEach(() => subject.destroy());

    describe('append', () => {
      it('counts offsets from 0 in each partition, in the order of the records', async () => {
        const positions = await log.append(RAW, records('a', 5));
        const partition = partitionOf('a', (await log.offsets(RAW)).size);
        expect(positions).toEqual([0, 1, 2, 3, 4].map((offset) => ({ partition, offset })));
        expect(await log.append(RAW, records('a', 1))).toEqual([{ partition, offset: 5 }]);
        expect((await log.offsets(RAW)).get(partition)).toEqual({ oldest: 0, next: 6 });
      });

      it('puts equal keys into one partition, the one that partitionOf names, also after a restart', async () => {
        const keys = Array.from({ length: 50 }, (_, i) => `website-${i}`);
        const partitions = (await log.offsets(RAW)).size;
        expect(partitions).toBeGreaterThan(1);
        const wanted = keys.map((key) => partitionOf(key, partitions));
        const place = async () => {
          const positions = await log.append(
            RAW,
            keys.map((key) => ({ key, value: Buffer.from(key) })),
          );
          return positions.map(({ partition }) => partition);
        };
        expect(await place()).toEqual(wanted);
        log = await subject.reopen();
        expect(await place()).toEqual(wanted);
        expect(new Set(wanted).size).toBe(partitions);
      });

      it('takes an empty list for nothing', async () => {
        expect(await log.append(RAW, [])).toEqual([]);
      });

      it('gives 10,000 concurrent small appends distinct offsets without gaps', async () => {
        const appends = Array.from({ length: 10_000 }, (_, i) =>
          log.append(RAW, [{ key: `k${i % 97}`, value: Buffer.from(String(i)) }]),
        );
        const given = (await Promise.all(appends)).flat();
        for (const [partition, { oldest, next }] of await log.offsets(RAW)) {
          const offsets = given.filter((at) => at.partition === partition).map(({ offset }) => offset);
          expect(oldest).toBe(0);
          expect(offsets.sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, i) => i));
        }
        const seen = reader('g');
        await eventually(() => expect(seen.records).toHaveLength(10_000));
        const read = new Set(seen.records.map(({ value }) => value.toString()));
        expect(read.size).toBe(10_000);
      });

      it('gives records back as they came: key, empty and 1 MB values, the time they were taken', async () => {
        const big = Buffer.alloc(1024 ** 2, 'some words that fill a megabyte, ');
        const odd = Buffer.from([255, 0, 254, 253, 250]);
        const values = [big, Buffer.alloc(0), odd, Buffer.alloc(70_000, 7)];
        const before = Date.now();
        await log.append(
          RAW,
          values.map((value) => ({ key: 'schlüssel/1 ✓', value })),
        );
        const seen = reader('g');
        await eventually(() => expect(seen.records).toHaveLength(4));
        expect(seen.records.map(({ value }) => value.equals(values.shift()!))).toEqual(Array(4).fill(true));
        for (const { key, appendedAt } of seen.records) {
          expect(key).toBe('schlüssel/1 ✓');
          expect(Math.abs(appendedAt - before)).toBeLessThan(patienceMs + 5_000);
        }
      });

      it('keeps everything across a restart, and goes on counting', async () => {
        await log.append(RAW, records('a', 3));
        log = await subject.reopen();
        expect((await log.append(RAW, records('a', 1)))[0]!.offset).toBe(3);
        const seen = reader('g');
        await eventually(() => expect(seen.offsets()).toEqual([0, 1, 2, 3]));
      });
    });

    describe('consume', () => {
      it('hands over each partition in offset order, what is there and what comes', async () => {
        await log.append(RAW, spread(100));
        const seen = reader('g');
        await eventually(() => expect(seen.records).toHaveLength(100));
        await log.append(RAW, spread(100));
        await eventually(() => expect(seen.records).toHaveLength(200));
        for (const partition of (await log.offsets(RAW)).keys()) {
          const offsets = seen.offsets(partition);
          expect(offsets).toEqual(offsets.map((_, i) => i));
        }
        expect(seen.crashes).toEqual([]);
      });

      it('begins at the oldest record where the group never committed, with committed null', async () => {
        const seen = reader('new');
        await eventually(async () => expect(seen.assigned.size).toBe((await log.offsets(RAW)).size));
        expect([...seen.assigned.values()]).toEqual([...seen.assigned.keys()].map(() => null));
      });

      it('does not commit by itself', async () => {
        await log.append(RAW, records('a', 3));
        const seen = reader('g');
        await eventually(() => expect(seen.records).toHaveLength(3));
        await seen.stop();
        expect((await log.committed(RAW, 'g')).size).toBe(0);
        const again = reader('g');
        await eventually(() => expect(again.offsets()).toEqual([0, 1, 2]));
      });

      it('resumes at the commit, also after a restart, and gives its metadata back', async () => {
        const [{ partition }] = (await log.append(RAW, records('a', 5))) as [Position];
        const seen = reader('g');
        await eventually(() => expect(seen.records).toHaveLength(5));
        const commit = { offset: 3, metadata: '{"range":[3,5],"ü":"✓"}' };
        await (await seen.consumer).commit(partition, commit);
        expect(await log.committed(RAW, 'g')).toEqual(new Map([[partition, commit]]));

        log = await subject.reopen();
        expect(await log.committed(RAW, 'g')).toEqual(new Map([[partition, commit]]));
        const again = reader('g');
        await eventually(() => expect(again.offsets()).toEqual([3, 4]));
        expect(again.assigned.get(partition)).toEqual(commit);
      });

      it('can commit all that it was given at once, while appends go on', async () => {
        let read = 0;
        const crashes: Error[] = [];
        const consumer = await log.consume({
          topic: RAW,
          group: 'g',
          async onRecords(partition, batch) {
            read += batch.length;
            await consumer.commit(partition, { offset: batch.at(-1)!.offset + 1, metadata: '' });
          },
          onCrash: (error) => void crashes.push(error),
        });
        for (let i = 0; i < 50; i++) await Promise.all(spread(8).map((record) => log.append(RAW, [record])));
        await eventually(() => expect(crashes.length + read).toBe(400));
        expect(crashes).toEqual([]);
        await consumer.stop();
        const committed = [...(await log.committed(RAW, 'g')).values()];
        expect(committed.reduce((sum, { offset }) => sum + offset, 0)).toBe(400);
      });

      it('keeps groups apart', async () => {
        const [{ partition }] = (await log.append(RAW, records('a', 4))) as [Position];
        const one = reader('one');
        await eventually(() => expect(one.records).toHaveLength(4));
        await (await one.consumer).commit(partition, { offset: 4, metadata: '' });
        const two = reader('two');
        await eventually(() => expect(two.offsets()).toEqual([0, 1, 2, 3]));
        expect((await log.committed(RAW, 'two')).size).toBe(0);
        expect((await log.committed('requests.dead', 'one')).size).toBe(0);
      });

      it('waits for a call to end before the next of the same partition (back-pressure)', async () => {
        const seen = reader('g');
        seen.hold();
        await log.append(RAW, records('a', 1));
        await eventually(() => expect(seen.calls).toBe(1));
        await log.append(RAW, records('a', 50));
        await quiet();
        expect(seen.calls).toBe(1);
        seen.release();
        await eventually(() => expect(seen.records).toHaveLength(51));
        expect(seen.mostAtOnce).toBe(1);
      });

      it('works on partitions side by side', async () => {
        const seen = reader('g');
        const partitions = (await log.offsets(RAW)).size;
        seen.hold();
        await log.append(RAW, spread(100));
        await eventually(() => expect(seen.running).toBe(partitions));
        seen.release();
        await eventually(() => expect(seen.records).toHaveLength(100));
      });

      it('hands over no more than maxBytes in a call, but always a record', async () => {
        const sizes = [400, 400, 400, 2_000, 10, 10];
        await log.append(
          RAW,
          sizes.map((size) => ({ key: 'a', value: Buffer.alloc(size, 1) })),
        );
        const seen = startReader(log, { topic: RAW, group: 'g', maxBytes: 1_000 });
        await eventually(() => expect(seen.records).toHaveLength(6));
        for (const batch of seen.batches) {
          const bytes = batch.reduce((sum, { value }) => sum + value.length, 0);
          if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(1_000);
        }
      });

      it('ends through onCrash where a handler rejects; its successor gets the records again', async () => {
        const [{ partition }] = (await log.append(RAW, records('a', 2))) as [Position];
        const seen = reader('g');
        seen.failWith(new Error('no more'));
        await eventually(() => expect(seen.crashes.map(({ message }) => message)).toEqual(['no more']));
        const commit = (await seen.consumer).commit(partition, { offset: 2, metadata: '' });
        await expect(commit).rejects.toBeInstanceOf(StaleAssignmentError);
        const { calls } = seen;
        await log.append(RAW, records('a', 1));
        const successor = reader('g');
        await eventually(() => expect(successor.offsets()).toEqual([0, 1, 2]));
        expect(seen.calls).toBe(calls);
        expect(seen.crashes).toHaveLength(1);
      });

      it('stop waits for the running call, whose commit still counts, and nothing comes after it', async () => {
        const [{ partition }] = (await log.append(RAW, records('a', 1))) as [Position];
        const seen = reader('g');
        seen.hold();
        await eventually(() => expect(seen.running).toBe(1));
        const consumer = await seen.consumer;
        let stopped = false;
        const stopping = consumer.stop().then(() => {
          stopped = true;
        });
        await quiet();
        expect(stopped).toBe(false);
        await consumer.commit(partition, { offset: 1, metadata: 'in the running call' });
        seen.release();
        await stopping;
        await log.append(RAW, records('a', 5));
        await quiet();
        expect(seen.records).toHaveLength(1);
        expect((await log.committed(RAW, 'g')).get(partition)?.metadata).toBe('in the running call');
      });
    });

    describe('a group of consumers', () => {
      it('shares the partitions out, and one takes over what the other leaves', async () => {
        const partitions = (await log.offsets(RAW)).size;
        const one = reader('g');
        await eventually(() => expect(one.owned.size).toBe(partitions));
        const two = reader('g');
        await eventually(() => {
          expect(two.owned.size).toBeGreaterThan(0);
          expect(one.owned.size + two.owned.size).toBe(partitions);
        });
        await log.append(RAW, spread(100));
        await eventually(() => expect(distinct([...one.records, ...two.records])).toBe(100));
        for (const partition of two.owned) {
          await (await two.consumer).commit(partition, {
            offset: two.offsets(partition).at(-1)! + 1,
            metadata: 'two',
          });
        }
        const passedOn = [...two.owned];
        await two.stop();
        await eventually(() => expect(one.owned.size).toBe(partitions));
        for (const partition of passedOn) expect(one.assigned.get(partition)?.metadata).toBe('two');
        await log.append(RAW, spread(100));
        await eventually(() => expect(distinct([...one.records, ...two.records])).toBe(200));
      });

      it('refuses the commit of a partition that has gone to another', async () => {
        await log.append(RAW, spread(100));
        const one = reader('g');
        await eventually(() => expect(one.records).toHaveLength(100));
        const before = [...one.owned];
        const two = reader('g');
        await eventually(() => expect(two.owned.size).toBeGreaterThan(0));
        const lost = before.find((partition) => two.owned.has(partition))!;
        const late = (await one.consumer).commit(lost, { offset: 1, metadata: 'late' });
        await expect(late).rejects.toBeInstanceOf(StaleAssignmentError);
        expect((await log.committed(RAW, 'g')).has(lost)).toBe(false);
        await (await two.consumer).commit(lost, { offset: 2, metadata: 'owner' });
        expect((await log.committed(RAW, 'g')).get(lost)?.metadata).toBe('owner');
      });

      it('loses nothing while consumers come and go', async () => {
        const readers = [reader('g')];
        const sent = new Set<string>();
        for (let round = 0; round < 6; round++) {
          const batch = spread(40, `round ${round}`);
          for (const { value } of batch) sent.add(value.toString());
          const joining = round % 2 === 0 ? reader('g') : null;
          await log.append(RAW, batch);
          if (joining) readers.push(joining);
          else await readers.shift()!.stop();
        }
        const all = [...readers];
        await eventually(async () => {
          const partitions = (await log.offsets(RAW)).size;
          expect(all.reduce((sum, { owned }) => sum + owned.size, 0)).toBe(partitions);
          const seen = new Set(all.flatMap(({ records }) => records.map(({ value }) => value.toString())));
          expect([...sent].filter((value) => !seen.has(value))).toEqual([]);
        });
      });
    });

    describe('tail', () => {
      it('hands over every record from the start of the log, then what comes; caughtUp is in between', async () => {
        await log.append(RAW, spread(300));
        const seen: LogRecord[] = [];
        const crashes: Error[] = [];
        const tail = await log.tail({
          topic: RAW,
          onRecords: (batch) => void seen.push(...batch),
          onCrash: (error) => void crashes.push(error),
        });
        await tail.caughtUp;
        expect(distinct(seen)).toBe(300);
        await log.append(RAW, spread(20));
        await eventually(() => expect(seen).toHaveLength(320));
        for (const partition of (await log.offsets(RAW)).keys()) {
          const offsets = seen.filter((one) => one.partition === partition).map(({ offset }) => offset);
          expect(offsets).toEqual(offsets.map((_, i) => i));
        }
        await tail.stop();
        await log.append(RAW, spread(20));
        await quiet();
        expect(seen).toHaveLength(320);
        expect(crashes).toEqual([]);
      });

      it('is caught up at once on an empty topic', async () => {
        const tail = await log.tail({ topic: 'control.events', onRecords() {}, onCrash() {} });
        await tail.caughtUp;
        await tail.stop();
      });

      it('sees the total order of a topic of one partition, the same in every tail and after a restart', async () => {
        const values = Array.from({ length: 60 }, (_, i) => `event ${i}`);
        for (const value of values) {
          await log.append('control.events', [
            { key: `k${value.length}${value}`, value: Buffer.from(value) },
          ]);
        }
        const read = async () => {
          const seen: string[] = [];
          const tail = await log.tail({
            topic: 'control.events',
            onRecords: (batch) => void seen.push(...batch.map(({ value }) => value.toString())),
            onCrash() {},
          });
          await tail.caughtUp;
          await tail.stop();
          return seen;
        };
        expect(await read()).toEqual(values);
        log = await subject.reopen();
        expect(await read()).toEqual(values);
      });

      it('makes one call at a time, and ends through onCrash where it fails', async () => {
        await log.append(RAW, spread(50));
        let atOnce = 0;
        let most = 0;
        const crashes: Error[] = [];
        const tail = await log.tail({
          topic: RAW,
          async onRecords(batch) {
            most = Math.max(most, ++atOnce);
            await new Promise((resolve) => setTimeout(resolve, 2));
            atOnce--;
            if (batch.some(({ key }) => key === 'bad')) throw new Error('bad record');
          },
          onCrash: (error) => void crashes.push(error),
        });
        await tail.caughtUp;
        expect(most).toBe(1);
        await log.append(RAW, [{ key: 'bad', value: Buffer.alloc(1) }]);
        await eventually(() => expect(crashes.map(({ message }) => message)).toEqual(['bad record']));
        await tail.stop();
      });
    });

    it('agrees with lists in memory over random appends, commits and restarts', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          await subject.destroy();
          subject = await open();
          await followHistory(subject, history, eventually);
        }),
        { numRuns: modelRuns },
      );
    });
  });
}

function records(key: string, count: number) {
  return Array.from({ length: count }, (_, i) => ({ key, value: Buffer.from(`${key} ${i}`) }));
}

/** Records of many keys, so that every partition gets some. */
function spread(count: number, label = '') {
  return Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, value: Buffer.from(`${label} ${i}`) }));
}

function distinct(seen: readonly LogRecord[]): number {
  return new Set(seen.map(({ partition, offset }) => `${partition}/${offset}`)).size;
}
