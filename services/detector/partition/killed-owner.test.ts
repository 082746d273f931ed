import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { busyWorld, END, outcomeOf, undisturbed } from '../../../test/harness/detector/busy-world.js';
import {
  Killed,
  play,
  type Step,
  startLife,
  type World,
} from '../../../test/harness/detector/partition-world.js';

/** Kills the owner at its steps of these numbers, counted on over the owners, and gives the partition to the next. */
async function withKills(
  kills: ReadonlySet<number>,
  limits: Pick<World, 'insertBytes' | 'cacheBytes'> = {},
): Promise<World> {
  const world = Object.assign(busyWorld(), limits);
  let count = 0;
  let isOver = false;
  for (;;) {
    const life = startLife(world, () => {
      count += 1;
      if (kills.has(count) && !isOver) throw new Killed();
    });
    await play(world, life, END);
    expect(life.crashes).toEqual([]);
    if (life.isDead()) continue;
    // Its time may have been too short to count late requests again.
    isOver = true;
    await life.detector.save();
    return world;
  }
}

describe('an owner of a partition', () => {
  test('that is killed at any step leaves everything to the next: nothing is lost and nothing fired twice', {
    timeout: 300_000,
  }, async () => {
    const { outcome, steps } = await undisturbed();
    expect(steps.length).toBeGreaterThan(60);
    for (let at = 1; at <= steps.length; at += 1) {
      const world = await withKills(new Set([at]));
      expect([steps[at - 1], outcomeOf(world)]).toEqual([steps[at - 1], outcome]);
    }
  });

  test('that saves each state by itself and keeps none in memory may be killed at any step, too', {
    timeout: 300_000,
  }, async () => {
    const limits = { insertBytes: 1, cacheBytes: 0 };
    const { outcome } = await undisturbed();
    const steps: Step[] = [];
    const world = Object.assign(busyWorld(), limits);
    await play(
      world,
      startLife(world, (step) => void steps.push(step)),
      END,
    );
    expect(outcomeOf(world)).toEqual(outcome);
    for (let at = 1; at <= steps.length; at += 3)
      expect([at, outcomeOf(await withKills(new Set([at]), limits))]).toEqual([at, outcome]);
  });

  test('may be killed again and again', { timeout: 300_000 }, async () => {
    const { outcome } = await undisturbed();
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 12 }),
        async (kills) => {
          expect(outcomeOf(await withKills(new Set(kills)))).toEqual(outcome);
        },
      ),
      { numRuns: 60, examples: [[[1, 84, 101, 126, 147, 176]]] },
    );
  });

  test('that does not hear of its loss writes nothing that the next owner would not', {
    timeout: 300_000,
  }, async () => {
    const { outcome } = await undisturbed();
    for (const minute of [6.5, 12, 16.5, 20, 33]) {
      const world = busyWorld();
      const first = startLife(world);
      await play(world, first, minute);
      const second = startLife(world);
      const old = { ...world, now: world.now };
      await Promise.all([
        play(Object.assign(Object.create(world), { now: old.now }), first, END),
        play(world, second, END),
      ]);
      expect([minute, outcomeOf(world)]).toEqual([minute, outcome]);
      expect(first.crashes).toEqual([]);
    }
  });
});
