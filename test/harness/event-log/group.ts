import { describe, expect, it } from 'vitest';
import { StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { distinct, RAW, spread, type World } from './world.js';

export function describeGroup(world: World): void {
  const { eventually, reader } = world;

  describe('a group of consumers', () => {
    it('distributes the partitions, and one member takes over those of a leaving one', async () => {
      const partitions = (await world.log.offsets(RAW)).size;
      const one = reader('g');
      await eventually(() => expect(one.owned.size).toBe(partitions));
      const two = reader('g');
      await eventually(() => {
        expect(two.owned.size).toBeGreaterThan(0);
        expect(one.owned.size + two.owned.size).toBe(partitions);
      });
      await world.log.append(RAW, spread(100));
      await eventually(() => expect(distinct([...one.records, ...two.records])).toBe(100));
      for (const partition of two.owned) {
        await (await two.consumer).commit(partition, {
          offset: two.offsets(partition).at(-1)! + 1,
          metadata: 'two',
        });
      }
      const passedOn = [...two.owned];
      await two.stop();
      // None of this was a loss: each left in order.
      for (const member of [one, two])
        expect([...member.lost.values()].some(({ aborted }) => aborted)).toBe(false);
      await eventually(() => expect(one.owned.size).toBe(partitions));
      for (const partition of passedOn) expect(one.assigned.get(partition)?.metadata).toBe('two');
      await world.log.append(RAW, spread(100));
      await eventually(() => expect(distinct([...one.records, ...two.records])).toBe(200));
    });

    it('refuses the commit of a partition that has another owner', async () => {
      await world.log.append(RAW, spread(100));
      const one = reader('g');
      await eventually(() => expect(one.records).toHaveLength(100));
      const before = [...one.owned];
      const two = reader('g');
      await eventually(() => expect(two.owned.size).toBeGreaterThan(0));
      const lost = before.find((partition) => two.owned.has(partition))!;
      const late = (await one.consumer).commit(lost, { offset: 1, metadata: 'late' });
      await expect(late).rejects.toBeInstanceOf(StaleAssignmentError);
      expect((await world.log.committed(RAW, 'g')).has(lost)).toBe(false);
      await (await two.consumer).commit(lost, { offset: 2, metadata: 'owner' });
      expect((await world.log.committed(RAW, 'g')).get(lost)?.metadata).toBe('owner');
    });

    it('loses nothing while consumers come and go', async () => {
      const readers = [reader('g')];
      const sent = new Set<string>();
      for (let round = 0; round < 6; round++) {
        const batch = spread(40, `round ${round}`);
        for (const { value } of batch) sent.add(value.toString());
        const joining = round % 2 === 0 ? reader('g') : null;
        await world.log.append(RAW, batch);
        if (joining) readers.push(joining);
        else await readers.shift()!.stop();
      }
      const all = [...readers];
      await eventually(async () => {
        const partitions = (await world.log.offsets(RAW)).size;
        expect(all.reduce((sum, { owned }) => sum + owned.size, 0)).toBe(partitions);
        const seen = new Set(all.flatMap(({ records }) => records.map(({ value }) => value.toString())));
        expect([...sent].filter((value) => !seen.has(value))).toEqual([]);
      });
    });
  });
}
