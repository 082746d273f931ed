import { describe, expect, it } from 'vitest';
import { partitionOf } from '../../../shared/event-log/partition-of.js';
import { RAW, records, spread, type World } from './world.js';

export function describeAppend(world: World): void {
  const { eventually, reader, patienceMs } = world;

  describe('append', () => {
    it('counts offsets from 0 in each partition, in the order of the records', async () => {
      const positions = await world.log.append(RAW, records('a', 5));
      const partition = partitionOf('a', (await world.log.offsets(RAW)).size);
      expect(positions).toEqual([0, 1, 2, 3, 4].map((offset) => ({ partition, offset })));
      expect(await world.log.append(RAW, records('a', 1))).toEqual([{ partition, offset: 5 }]);
      expect((await world.log.offsets(RAW)).get(partition)).toEqual({ oldest: 0, next: 6 });
    });

    it('puts equal keys into the partition of partitionOf, also after a restart', async () => {
      const keys = Array.from({ length: 50 }, (_, i) => `website-${i}`);
      const partitions = (await world.log.offsets(RAW)).size;
      expect(partitions).toBeGreaterThan(1);
      const wanted = keys.map((key) => partitionOf(key, partitions));
      const place = async () => {
        const positions = await world.log.append(
          RAW,
          keys.map((key) => ({ key, value: Buffer.from(key) })),
        );
        return positions.map(({ partition }) => partition);
      };
      expect(await place()).toEqual(wanted);
      await world.reopen();
      expect(await place()).toEqual(wanted);
      expect(new Set(wanted).size).toBe(partitions);
    });

    it('ignores an empty list', async () => {
      expect(await world.log.append(RAW, [])).toEqual([]);
    });

    it('gives 10,000 concurrent small appends distinct offsets without gaps', async () => {
      const appends = Array.from({ length: 10_000 }, (_, i) =>
        world.log.append(RAW, [{ key: `k${i % 97}`, value: Buffer.from(String(i)) }]),
      );
      const given = (await Promise.all(appends)).flat();
      for (const [partition, { oldest, next }] of await world.log.offsets(RAW)) {
        const offsets = given.filter((at) => at.partition === partition).map(({ offset }) => offset);
        expect(oldest).toBe(0);
        expect(offsets.sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, i) => i));
      }
      const seen = reader('g');
      await eventually(() => expect(seen.records).toHaveLength(10_000));
      const read = new Set(seen.records.map(({ value }) => value.toString()));
      expect(read.size).toBe(10_000);
    });

    it('returns records unchanged: key, empty and 1 MB values, and the time of the append', async () => {
      const big = Buffer.alloc(1024 ** 2, 'some words that fill a megabyte, ');
      const odd = Buffer.from([255, 0, 254, 253, 250]);
      const values = [big, Buffer.alloc(0), odd, Buffer.alloc(70_000, 7)];
      const before = Date.now();
      await world.log.append(
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

    it('assigns a key to the same partition in every topic without a fixed number, in any append', async () => {
      const websites = spread(200);
      const placed = new Map<string, number>();
      for (const topic of ['requests.stored', 'alerts'] as const) {
        const positions = await world.log.append(topic, websites);
        expect((await world.log.append(topic, websites)).map(({ partition }) => partition)).toEqual(
          positions.map(({ partition }) => partition),
        );
        for (const [index, { partition }] of positions.entries()) {
          const key = websites[index]!.key;
          expect([topic, key, partition]).toEqual([topic, key, placed.get(key) ?? partition]);
          placed.set(key, partition);
        }
        const seen = reader(`readers of ${topic}`, topic);
        await eventually(() => expect(seen.records).toHaveLength(400));
        for (const { key, partition } of seen.records) expect(partition).toBe(placed.get(key));
      }
    });

    it('keeps everything across a restart, and continues counting', async () => {
      await world.log.append(RAW, records('a', 3));
      await world.reopen();
      expect((await world.log.append(RAW, records('a', 1)))[0]!.offset).toBe(3);
      const seen = reader('g');
      await eventually(() => expect(seen.offsets()).toEqual([0, 1, 2, 3]));
    });
  });
}
