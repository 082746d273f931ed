import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { busyWorld, END, outcomeOf, undisturbed } from '../../../test/harness/detector/busy-world.js';
import { fakeCore } from '../../../test/harness/detector/fake-core.js';
import {
  createWorld,
  Killed,
  play,
  START,
  type Step,
  startLife,
  upload,
  type World,
} from '../../../test/harness/detector/partition-world.js';
import { decodeArrivals, encodeArrivals } from '../arrivals/arrivals-codec.js';
import { newWebsiteArrivals } from '../arrivals/website-arrivals.js';

/**
 * Kills the owner at the steps with these numbers, counted across owners, and assigns the partition to the
 * next owner.
 */
async function withKills(
  kills: ReadonlySet<number>,
  limits: Pick<World, 'insertBytes' | 'cacheBytes'> = {},
  newWorld = busyWorld,
): Promise<World> {
  const world = Object.assign(newWorld(), limits);
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
    // The owner may not have had time to recount late requests.
    isOver = true;
    await life.detector.save();
    return world;
  }
}

/** Live logs, and an import of older logs in two parts some minutes apart, the newer part first. */
function importedWorld(): World {
  const world = createWorld();
  for (let minute = 0; minute < 40; minute += 1)
    upload(world, { at: minute + 1.2, requests: { [minute]: minute >= 5 && minute < 35 ? 12 : 1 } });
  upload(world, { at: 12, requests: { [-250]: 1, [-240]: 12 } });
  upload(world, { at: 18, requests: { [-900]: 1, [-480]: 12, [-475]: 12 } });
  return world;
}

describe('an owner of a partition', () => {
  test('that is killed at any step leaves the work to the next owner: nothing is lost and no alert is raised twice', {
    timeout: 300_000,
  }, async () => {
    const { outcome, steps } = await undisturbed();
    expect(steps.length).toBeGreaterThan(60);
    for (let at = 1; at <= steps.length; at += 1) {
      const world = await withKills(new Set([at]));
      expect([steps[at - 1], outcomeOf(world)]).toEqual([steps[at - 1], outcome]);
    }
  });

  test('that saves each state separately and caches none may be killed at any step', {
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

  test('that is killed at any step while a website restarts leaves the restart to the next owner', {
    timeout: 300_000,
  }, async () => {
    for (const limits of [{}, { insertBytes: 1, cacheBytes: 0 }]) {
      const whole = importedWorld();
      const steps: Step[] = [];
      await play(
        whole,
        startLife(whole, (step) => void steps.push(step)),
        END,
      );
      const outcome = outcomeOf(whole);
      // The first two are those of the import.
      expect(outcome.alerts.map(({ occurrences }) => occurrences)).toEqual([2, 1, 6]);
      for (let at = 1; at <= steps.length; at += 1) {
        const world = await withKills(new Set([at]), limits, importedWorld);
        expect([at, steps[at - 1], outcomeOf(world)]).toEqual([at, steps[at - 1], outcome]);
        expect(world.states.get('w')).toMatchObject({ state: whole.states.get('w')!.state });
      }
    }
  });

  test('saves the restart of a website before it replaces the learned state', async () => {
    const world = importedWorld();
    const isMarked: boolean[] = [];
    const life = startLife(world, (step) => {
      if (step !== 'save states done') return;
      const { next } = fakeCore.decode(world.states.get('w')!.state);
      const { renewal } = decodeArrivals(
        world.arrivals.get('w')?.arrivals ?? encodeArrivals(newWebsiteArrivals()),
      );
      if (next < START) isMarked.push(renewal !== null);
    });
    await play(world, life, END);
    expect(life.crashes).toEqual([]);
    expect([isMarked.length > 2, new Set(isMarked)]).toEqual([true, new Set([true])]);
  });

  test('may be killed repeatedly', { timeout: 300_000 }, async () => {
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

  test('that does not notice its loss writes nothing that the next owner would not write', {
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
