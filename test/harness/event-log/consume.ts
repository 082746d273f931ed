import { describe, expect, it } from 'vitest';
import { type Position, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { startReader } from './reader.js';
import { RAW, records, spread, type World } from './world.js';

export function describeConsume(world: World): void {
  const { eventually, quiet, reader } = world;

  describe('consume', () => {
    it('delivers each partition in offset order, existing records and new ones', async () => {
      await world.log.append(RAW, spread(100));
      const seen = reader('g');
      await eventually(() => expect(seen.records).toHaveLength(100));
      await world.log.append(RAW, spread(100));
      await eventually(() => expect(seen.records).toHaveLength(200));
      for (const partition of (await world.log.offsets(RAW)).keys()) {
        const offsets = seen.offsets(partition);
        expect(offsets).toEqual(offsets.map((_, i) => i));
      }
      expect(seen.crashes).toEqual([]);
    });

    it('begins at the oldest record if the group never committed, with committed null', async () => {
      const seen = reader('new');
      await eventually(async () => expect(seen.assigned.size).toBe((await world.log.offsets(RAW)).size));
      expect([...seen.assigned.values()]).toEqual([...seen.assigned.keys()].map(() => null));
    });

    it('does not commit by itself', async () => {
      await world.log.append(RAW, records('a', 3));
      const seen = reader('g');
      await eventually(() => expect(seen.records).toHaveLength(3));
      await seen.stop();
      expect((await world.log.committed(RAW, 'g')).size).toBe(0);
      const again = reader('g');
      await eventually(() => expect(again.offsets()).toEqual([0, 1, 2]));
    });

    it('resumes at the commit, also after a restart, and returns its metadata', async () => {
      const [{ partition }] = (await world.log.append(RAW, records('a', 5))) as [Position];
      const seen = reader('g');
      await eventually(() => expect(seen.records).toHaveLength(5));
      const commit = { offset: 3, metadata: '{"range":[3,5],"ü":"✓"}' };
      await (await seen.consumer).commit(partition, commit);
      expect(await world.log.committed(RAW, 'g')).toEqual(new Map([[partition, commit]]));

      await world.reopen();
      expect(await world.log.committed(RAW, 'g')).toEqual(new Map([[partition, commit]]));
      const again = reader('g');
      await eventually(() => expect(again.offsets()).toEqual([3, 4]));
      expect(again.assigned.get(partition)).toEqual(commit);
    });

    it('can commit all delivered records at once, while appends continue', async () => {
      let read = 0;
      const crashes: Error[] = [];
      const consumer = await world.log.consume({
        topic: RAW,
        group: 'g',
        async onRecords(partition, batch) {
          read += batch.length;
          await consumer.commit(partition, { offset: batch.at(-1)!.offset + 1, metadata: '' });
        },
        onCrash: (error) => void crashes.push(error),
      });
      for (let i = 0; i < 50; i++)
        await Promise.all(spread(8).map((record) => world.log.append(RAW, [record])));
      await eventually(() => expect(crashes.length + read).toBe(400));
      expect(crashes).toEqual([]);
      await consumer.stop();
      const committed = [...(await world.log.committed(RAW, 'g')).values()];
      expect(committed.reduce((sum, { offset }) => sum + offset, 0)).toBe(400);
    });

    it('keeps groups apart', async () => {
      const [{ partition }] = (await world.log.append(RAW, records('a', 4))) as [Position];
      const one = reader('one');
      await eventually(() => expect(one.records).toHaveLength(4));
      await (await one.consumer).commit(partition, { offset: 4, metadata: '' });
      const two = reader('two');
      await eventually(() => expect(two.offsets()).toEqual([0, 1, 2, 3]));
      expect((await world.log.committed(RAW, 'two')).size).toBe(0);
      expect((await world.log.committed('requests.dead', 'one')).size).toBe(0);
    });

    it('waits for a call to end before the next one for the same partition (back-pressure)', async () => {
      const seen = reader('g');
      seen.hold();
      await world.log.append(RAW, records('a', 1));
      await eventually(() => expect(seen.calls).toBe(1));
      await world.log.append(RAW, records('a', 50));
      await quiet();
      expect(seen.calls).toBe(1);
      seen.release();
      await eventually(() => expect(seen.records).toHaveLength(51));
      expect(seen.mostAtOnce).toBe(1);
    });

    it('works on partitions concurrently', async () => {
      const seen = reader('g');
      const partitions = (await world.log.offsets(RAW)).size;
      seen.hold();
      await world.log.append(RAW, spread(100));
      await eventually(() => expect(seen.running).toBe(partitions));
      seen.release();
      await eventually(() => expect(seen.records).toHaveLength(100));
    });

    it('delivers at most maxBytes in a call, but at least one record', async () => {
      const sizes = [400, 400, 400, 2_000, 10, 10];
      await world.log.append(
        RAW,
        sizes.map((size) => ({ key: 'a', value: Buffer.alloc(size, 1) })),
      );
      const seen = startReader(world.log, { topic: RAW, group: 'g', maxBytes: 1_000 });
      await eventually(() => expect(seen.records).toHaveLength(6));
      for (const batch of seen.batches) {
        const bytes = batch.reduce((sum, { value }) => sum + value.length, 0);
        if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(1_000);
      }
    });

    it('ends through onCrash if a handler rejects; its successor gets the records again', async () => {
      const [{ partition }] = (await world.log.append(RAW, records('a', 2))) as [Position];
      const seen = reader('g');
      seen.failWith(new Error('no more'));
      await eventually(() => expect(seen.crashes.map(({ message }) => message)).toEqual(['no more']));
      const commit = (await seen.consumer).commit(partition, { offset: 2, metadata: '' });
      await expect(commit).rejects.toBeInstanceOf(StaleAssignmentError);
      const { calls } = seen;
      await world.log.append(RAW, records('a', 1));
      const successor = reader('g');
      await eventually(() => expect(successor.offsets()).toEqual([0, 1, 2]));
      expect(seen.calls).toBe(calls);
      expect(seen.crashes).toHaveLength(1);
    });

    it('notifies the loss of a partition at once if the consumer crashes, while its call still runs', async () => {
      const [{ partition }] = (await world.log.append(RAW, records('a', 1))) as [Position];
      let crashed = false;
      let cut = (): void => {};
      const untilCut = new Promise<void>((resolve) => {
        cut = resolve;
      });
      const signals = new Map<number, AbortSignal>();
      const consumer = await world.log.consume({
        topic: RAW,
        group: 'g',
        async onAssigned(assigned, _committed, lost) {
          signals.set(assigned, lost);
          if (assigned === partition) lost.addEventListener('abort', cut);
        },
        async onRecords(read) {
          if (read === partition) await untilCut;
          else throw new Error('the other partition');
        },
        onCrash() {
          crashed = true;
        },
      });
      await eventually(async () => expect(signals.size).toBe((await world.log.offsets(RAW)).size));
      expect([...signals.values()].filter(({ aborted }) => aborted)).toEqual([]);
      await world.log.append(RAW, spread(20));
      await untilCut;
      expect([...signals.values()].filter(({ aborted }) => !aborted)).toEqual([]);
      await eventually(() => expect(crashed).toBe(true));
      await consumer.stop();
    });

    it('stop waits for the running call, whose commit still counts, and no call follows', async () => {
      const [{ partition }] = (await world.log.append(RAW, records('a', 1))) as [Position];
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
      await world.log.append(RAW, records('a', 5));
      await quiet();
      expect(seen.records).toHaveLength(1);
      expect((await world.log.committed(RAW, 'g')).get(partition)?.metadata).toBe('in the running call');
      expect([...seen.lost.values()].filter(({ aborted }) => aborted)).toEqual([]);
    });
  });
}
