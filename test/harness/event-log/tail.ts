import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { CONTROL, distinct, RAW, records, spread, type World } from './world.js';

export function describeTail(world: World): void {
  const { eventually, quiet } = world;

  describe('tail', () => {
    it('delivers every record from the start of the log, then new ones; caughtUp is in between', async () => {
      await world.log.append(RAW, spread(300));
      const seen: LogRecord[] = [];
      const crashes: Error[] = [];
      const tail = await world.log.tail({
        topic: RAW,
        onRecords: (batch) => void seen.push(...batch),
        onCrash: (error) => void crashes.push(error),
      });
      await tail.caughtUp;
      expect(distinct(seen)).toBe(300);
      await world.log.append(RAW, spread(20));
      await eventually(() => expect(seen).toHaveLength(320));
      for (const partition of (await world.log.offsets(RAW)).keys()) {
        const offsets = seen.filter((one) => one.partition === partition).map(({ offset }) => offset);
        expect(offsets).toEqual(offsets.map((_, i) => i));
      }
      await tail.stop();
      await world.log.append(RAW, spread(20));
      await quiet();
      expect(seen).toHaveLength(320);
      expect(crashes).toEqual([]);
    });

    it('is caught up at once on an empty topic', async () => {
      const tail = await world.log.tail({ topic: CONTROL, onRecords() {}, onCrash() {} });
      await tail.caughtUp;
      await tail.stop();
    });

    it('has the total order of a topic of one partition, the same in every tail and after a restart', async () => {
      const values = Array.from({ length: 60 }, (_, i) => `event ${i}`);
      for (const value of values) {
        await world.log.append(CONTROL, [{ key: `k${value.length}${value}`, value: Buffer.from(value) }]);
      }
      const read = async () => {
        const seen: string[] = [];
        const tail = await world.log.tail({
          topic: CONTROL,
          onRecords: (batch) => void seen.push(...batch.map(({ value }) => value.toString())),
          onCrash() {},
        });
        await tail.caughtUp;
        await tail.stop();
        return seen;
      };
      expect(await read()).toEqual(values);
      await world.reopen();
      expect(await read()).toEqual(values);
    });

    /** Tails the topic of one partition, so that offsets identify the records. */
    async function tailFrom(from: number) {
      const offsets: number[] = [];
      const tail = await world.log.tail({
        topic: CONTROL,
        from,
        onRecords: (batch) => void offsets.push(...batch.map(({ offset }) => offset)),
        onCrash() {},
      });
      return { offsets, tail };
    }

    it('begins at the requested offset, also after a restart', async () => {
      await world.log.append(CONTROL, records('a', 10));
      for (const restarted of [false, true]) {
        if (restarted) await world.reopen();
        const { offsets, tail } = await tailFrom(7);
        await tail.caughtUp;
        expect(offsets).toEqual([7, 8, 9]);
        await tail.stop();
      }
      const { offsets, tail } = await tailFrom(9);
      await tail.caughtUp;
      await world.log.append(CONTROL, records('a', 2));
      await eventually(() => expect(offsets).toEqual([9, 10, 11]));
      await tail.stop();
    });

    it.each([
      ['the end', 3, [3, 4, 5]],
      ['beyond the end', 5, [5]],
    ])('is caught up at once from %s, and delivers later records', async (_where, from, wanted) => {
      await world.log.append(CONTROL, records('a', 3));
      const { offsets, tail } = await tailFrom(from);
      await tail.caughtUp;
      expect(offsets).toEqual([]);
      // One by one: each may come in a separate call.
      for (let count = 0; count < 3; count++) await world.log.append(CONTROL, records('a', 1));
      await eventually(() => expect(offsets.at(-1)).toBe(5));
      expect(offsets).toEqual(wanted);
      await tail.stop();
    });

    it('makes one call at a time, and ends through onCrash if it fails', async () => {
      await world.log.append(RAW, spread(50));
      let atOnce = 0;
      let most = 0;
      const crashes: Error[] = [];
      const tail = await world.log.tail({
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
      await world.log.append(RAW, [{ key: 'bad', value: Buffer.alloc(1) }]);
      await eventually(() => expect(crashes.map(({ message }) => message)).toEqual(['bad record']));
      await tail.stop();
    });

    it('rejects caughtUp with the error that ends it', async () => {
      await world.log.append(RAW, [{ key: 'bad', value: Buffer.alloc(1) }]);
      const tail = await world.log.tail({
        topic: RAW,
        onRecords() {
          throw new Error('bad record');
        },
        onCrash() {},
      });
      await expect(tail.caughtUp).rejects.toThrow('bad record');
      await tail.stop();
    });
  });
}
