import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgetRecord } from '../../../shared/detection/signal-codec.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import {
  createWorld,
  fakeCore,
  Killed,
  type Life,
  play,
  START,
  type Step,
  startLife,
  startLifeWith,
  tell,
  type World,
} from './partition-world.fixture.js';

/** Two websites for 50 minutes: quiet, but for two stretches of one and one of the other; a repeat, and something late. */
function busyWorld(): World {
  const world = createWorld();
  for (let minute = 0; minute < 50; minute += 1) {
    const isLoud = (minute >= 5 && minute < 15) || minute >= 30;
    tell(world, {
      at: minute + 1.2,
      requests: { [minute]: isLoud ? 12 : 1 },
      token: `requests.raw/0/${minute}-${minute}/m`,
    });
    if (minute % 7 === 0) {
      tell(world, {
        at: minute + 1.3,
        requests: { [minute]: 99 },
        token: `requests.raw/0/${minute}-${minute}/m`,
      });
      tell(world, { at: minute + 1.4, website: 'v', requests: { [minute]: minute === 21 ? 40 : 2 } });
    }
    if (minute === 40) tell(world, { at: 41.3, requests: { 2: 1, 17: 2 } });
  }
  return world;
}

const END = 70;

/** What readers of the table and of the topic are left with. */
function outcomeOf({ alerts, told, health }: World) {
  const seen = [...alerts.values()].map(({ alertId, occurrences, lastSeen }) => ({
    alertId,
    occurrences,
    lastSeen,
  }));
  const newest = new Map<string, number>();
  for (const { alertId, occurrences } of told)
    newest.set(alertId, Math.max(newest.get(alertId) ?? 0, occurrences));
  const values = [...health].map(([key, { value }]) => [key, value] as const);
  return {
    alerts: seen.sort((a, b) => (a.alertId < b.alertId ? -1 : 1)),
    told: new Map([...newest].sort()),
    health: new Map(values.sort()),
  };
}

async function undisturbed() {
  const world = busyWorld();
  const steps: Step[] = [];
  const life = startLife(world, (step) => void steps.push(step));
  await play(world, life, END);
  expect(life.crashes).toEqual([]);
  return { outcome: outcomeOf(world), steps, world };
}

/** Kills the owner at its steps of these numbers, counted on over the owners, and gives the partition to the next. */
async function withKills(kills: ReadonlySet<number>, insertBytes?: number): Promise<World> {
  const world = Object.assign(busyWorld(), insertBytes !== undefined && { insertBytes });
  let count = 0;
  for (;;) {
    const life = startLife(world, () => {
      count += 1;
      if (kills.has(count)) throw new Killed();
    });
    await play(world, life, END);
    expect(life.crashes).toEqual([]);
    if (!life.isDead()) return world;
  }
}

describe('an owner of a partition', () => {
  test('finds each alert once, merges what is found again, and counts what comes late', async () => {
    const { outcome, steps, world } = await undisturbed();
    const atEnd = (minute: number) => `${new Date(START + minute * MINUTE_MS).toISOString()}#`;
    expect(outcome.alerts.map(({ alertId, occurrences }) => [alertId.slice(0, 25), occurrences])).toEqual([
      [atEnd(10), 6],
      [atEnd(25), 1],
    ]);
    expect(world.told.map(({ websiteId, occurrences }) => `${websiteId}${occurrences}`)).toEqual([
      'w1',
      'w2',
      'v1',
      'w3',
      'w4',
      'w5',
      'w6',
    ]);
    const value = (website: string, minute: number) =>
      outcome.health.get(`${website} traffic ${START + minute * MINUTE_MS}`);
    expect([value('w', 0), value('w', 5), value('w', 15), value('w', 55)]).toEqual([6, 60, 7, 0]);
    expect(value('v', 20)).toBe(40);
    for (const step of [
      'commit',
      'save alerts',
      'send alerts',
      'save health',
      'save states',
      'read health',
      'sync',
    ])
      expect(steps).toContain(step);
    // Rows, then records; states, then what lies on the disk, then the offset.
    expect(steps.indexOf('save alerts done')).toBeLessThan(steps.indexOf('send alerts'));
    const saved = steps.indexOf('save states done');
    expect(steps.slice(saved + 1, saved + 4)).toEqual(['sync', 'sync done', 'commit']);
  });

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

  test('that saves each state by itself and judges between them may be killed at any step, too', {
    timeout: 300_000,
  }, async () => {
    const { outcome } = await undisturbed();
    const steps: Step[] = [];
    const world = Object.assign(busyWorld(), { insertBytes: 1 });
    await play(
      world,
      startLife(world, (step) => void steps.push(step)),
      END,
    );
    expect(outcomeOf(world)).toEqual(outcome);
    for (let at = 1; at <= steps.length; at += 3)
      expect([at, outcomeOf(await withKills(new Set([at]), 1))]).toEqual([at, outcome]);
  });

  test('judges what becomes due while it saves the states of others', async () => {
    const world = Object.assign(createWorld(), { insertBytes: 1 });
    const websites = ['a', 'b', 'c', 'd', 'e'];
    for (const website of websites) tell(world, { at: 1, website, requests: { 0: 1 } });
    tell(world, { at: 6, website: 'loud', requests: { 5: 12 } });
    const steps: Step[] = [];
    const life: Life = startLife(world, (step) => {
      steps.push(step);
      if (step !== 'save states' || steps.filter((one) => one === step).length > 1) return;
      // The first of six: a look is taken meanwhile, and says that the interval is over.
      world.now = START + 15 * MINUTE_MS;
      void life.detector.work(world.now);
    });
    world.now = START + 6 * MINUTE_MS;
    await life.detector.push(world.log);
    await life.detector.work(world.now);
    expect(steps.filter((step) => step === 'save states')).toHaveLength(6);
    expect(steps.indexOf('save alerts')).toBeLessThan(steps.lastIndexOf('save states'));
    expect(world.told.map(({ websiteId }) => websiteId)).toEqual(['loud']);
  });

  test('leaves out a record that fails to be counted, and counts all others', async () => {
    const world = createWorld();
    tell(world, { at: 1, requests: { 0: 12 } });
    const offset = world.log.length;
    const { key, value } = forgetRecord({ websiteId: 'w', address: '192.0.2.1' });
    world.log.push({ partition: 0, offset, key, value, appendedAt: START + 2 * MINUTE_MS });
    tell(world, { at: 3, website: 'v', requests: { 0: 12 } });
    const failing = {
      ...fakeCore,
      forgetAddress() {
        throw new Error('whatever');
      },
    };
    const life = startLifeWith(failing, world);
    await play(world, life, 10);
    expect(life.crashes).toEqual([]);
    expect([...world.told].map(({ websiteId }) => websiteId)).toEqual(['w', 'v']);
    expect(life.errors).toEqual([expect.stringContaining('left out')]);
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
      { numRuns: 60 },
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

  test('takes over what was stored after the states were saved: what came late meanwhile fires nothing again', async () => {
    const world = createWorld();
    for (let minute = 0; minute < 12; minute += 1)
      tell(world, { at: minute + 1.2, requests: { [minute]: minute >= 5 && minute < 10 ? 12 : 1 } });
    // Judged again with them, the first interval is loud too.
    tell(world, { at: 13, requests: { 2: 50 } });
    const first = startLife(world);
    await play(world, first, 14);
    first.lose();
    expect(world.alerts.size).toBe(1);
    world.states.clear();
    world.committed = { offset: 0, metadata: '' };
    await play(world, startLife(world), 30);
    expect([...world.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([1]);
    expect(new Set(world.told.map(({ alertId }) => alertId)).size).toBe(1);
    expect(outcomeOf(world).health.get(`w traffic ${START}`)).toBe(55);
  });

  test('goes on where the stores are away for a while', async () => {
    const { outcome } = await undisturbed();
    const world = busyWorld();
    let failures = 0;
    const life = startLife(world, (step) => {
      if (
        !step.endsWith('done') &&
        step !== 'commit' &&
        failures < 6 &&
        Math.floor(failures / 2) % 2 === failures % 2
      ) {
        failures += 1;
        throw new Error('away');
      }
      failures = failures < 6 ? failures + 1 : failures;
    });
    await play(world, life, END);
    expect(failures).toBe(6);
    expect(outcomeOf(world)).toEqual(outcome);
  });

  test('reads all of the log again where nothing was ever committed, and counts it once', async () => {
    const { outcome, world } = await undisturbed();
    world.committed = null;
    world.now = START + END * MINUTE_MS;
    await play(world, startLife(world), END + 1);
    expect(outcomeOf(world)).toEqual({ ...outcome, health: expect.anything() });
    expect([...outcomeOf(world).health].filter(([key]) => outcome.health.has(key))).toEqual([
      ...outcome.health,
    ]);
  });

  test('leaves out what can not be read, and is told of it', async () => {
    const world = createWorld();
    tell(world, { at: 1, requests: { 0: 12 } });
    world.log.push({
      partition: 0,
      offset: 1,
      key: 'w',
      value: Buffer.from('?'),
      appendedAt: START + MINUTE_MS,
    });
    tell(world, { at: 7, requests: { 6: 1 } });
    const life = startLife(world);
    await play(world, life, 10);
    expect([...world.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([1]);
    const metric = await life.registry.getSingleMetric('loglane_detector_unreadable_signals_total')!.get();
    expect(metric.values[0]!.value).toBe(1);
  });

  test('drops an erased website with its memory, and one that sent nothing for 40 days', async () => {
    const world = createWorld();
    for (const website of ['w', 'v']) tell(world, { at: 1, website, requests: { 0: 12 } });
    tell(world, { at: 7, requests: { 6: 1 } });
    const life = startLife(world);
    await play(world, life, 8);
    expect(life.detector.status().websites).toBe(2);
    world.erased.add('w');
    world.states.delete('w');
    await play(world, life, 20);
    expect(life.detector.status().websites).toBe(1);
    expect([...world.states.keys()]).toEqual(['v']);

    world.now += 41 * DAY_MS;
    await life.detector.work(world.now);
    expect(life.detector.status().websites).toBe(0);
    const next = startLife(world);
    await next.detector.work(world.now);
    expect(next.detector.status().websites).toBe(0);
  });

  test('passes on what came to its partition before there were more of them', async () => {
    const world = createWorld();
    world.foreign.add('v');
    tell(world, { at: -1, website: 'v', requests: { 0: 12 } });
    tell(world, { at: 1, website: 'v', requests: { 0: 12 } });
    await play(world, startLife(world), 10);
    expect(world.forwarded.map(({ offset }) => offset)).toEqual([0]);
    expect(world.alerts.size).toBe(0);
  });

  test('leaves points of health as they are that it can not read, and goes on', async () => {
    const { outcome } = await undisturbed();
    const world = busyWorld();
    const life = startLife(world, (step) => {
      if (step === 'read health') z.number().parse('a row');
    });
    await play(world, life, END);
    expect(life.detector.status().isLoaded).toBe(true);
    expect(outcomeOf(world).alerts).toEqual(outcome.alerts);
    expect(life.errors[0]).toContain('not counted again');
  });
});
