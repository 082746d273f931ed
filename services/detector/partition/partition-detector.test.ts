import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { forgetRecord } from '../../../shared/detection/arrival-codec.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { busyWorld, END, outcomeOf, undisturbed } from '../../../test/harness/detector/busy-world.js';
import { fakeCore } from '../../../test/harness/detector/fake-core.js';
import {
  append,
  createWorld,
  play,
  START,
  type Step,
  startLife,
  startLifeWith,
  upload,
} from '../../../test/harness/detector/partition-world.js';

describe('an owner of a partition', () => {
  test('raises each alert once, merges repeats, and counts late requests in the health', async () => {
    const { outcome, steps, world } = await undisturbed();
    const atEnd = (minute: number) => `${new Date(START + minute * MINUTE_MS).toISOString()}#`;
    expect(outcome.alerts.map(({ alertId, occurrences }) => [alertId.slice(0, 25), occurrences])).toEqual([
      [atEnd(10), 6],
      [atEnd(25), 1],
    ]);
    expect(world.sent.map(({ websiteId, occurrences }) => `${websiteId}${occurrences}`)).toEqual([
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
      'save arrivals',
      'read health',
      'sync',
    ])
      expect(steps).toContain(step);
    // Alert rows, then records, then health, then the state that includes them. Arrivals, then the sync, then
    // the offset.
    expect(steps.indexOf('save alerts done')).toBeLessThan(steps.indexOf('send alerts'));
    const afterwards = steps.slice(steps.indexOf('send alerts done'));
    expect(afterwards.indexOf('save health done')).toBeLessThan(afterwards.indexOf('save states'));
    const saved = steps.indexOf('save arrivals done');
    expect(steps.slice(saved + 1, saved + 4)).toEqual(['sync', 'sync done', 'commit']);
  });

  test('counts for all websites with one read, and evaluates live logs before an import', async () => {
    const world = createWorld();
    const live = ['a', 'b', 'c'];
    for (const website of live) upload(world, { at: -20, website, requests: { [-20]: 1 } });
    upload(world, { at: -19, website: 'archive', requests: { [-600]: 12, [-301]: 12 } });
    for (const website of live) upload(world, { at: -14, website, requests: { [-16]: 12 } });
    const steps: Step[] = [];
    await play(
      world,
      startLife(world, (step) => void steps.push(step)),
      0,
    );
    expect(world.sent.map(({ websiteId, occurrences }) => `${websiteId}${occurrences}`)).toEqual([
      ...['a1', 'b1', 'c1'],
      ...['archive1', 'archive1'],
    ]);
    // One read for four hours of the archive, and few for the others.
    expect(steps.filter((step) => step === 'counts').length).toBeLessThan(12);
  });

  test('evaluates an import as a whole, two minutes after its last arrival', async () => {
    const world = createWorld();
    const requests = Object.fromEntries(Array.from({ length: 48 }, (_, at) => [-2_000 + at * 30, 7]));
    for (let at = 0; at < 8; at += 1) upload(world, { at, website: 'w', requests });
    const life = startLife(world);
    await play(world, life, 8.5);
    expect([world.sent, world.health.size]).toEqual([[], 0]);
    await play(world, life, 12);
    expect(world.sent).toHaveLength(48);
    expect(new Set([...world.health.values()].map(({ value }) => value))).toEqual(new Set([0, 56]));
  });

  test('adopts alerts that were stored after the states were saved: late requests raise no alert again', async () => {
    const world = createWorld();
    for (let minute = 0; minute < 12; minute += 1)
      upload(world, { at: minute + 1.2, requests: { [minute]: minute >= 5 && minute < 10 ? 12 : 1 } });
    // With these requests, the first interval has a spike too.
    upload(world, { at: 13, requests: { 2: 50 } });
    const first = startLife(world);
    await play(world, first, 5.5);
    const saved = { arrivals: new Map(world.arrivals), committed: world.committed };
    expect([saved.arrivals.size, world.states.size]).toEqual([1, 0]);
    await play(world, first, 14);
    first.lose();
    expect(world.alerts.size).toBe(1);
    world.states.clear();
    Object.assign(world, saved);
    await play(world, startLife(world), 30);
    expect([...world.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([1]);
    expect(new Set(world.sent.map(({ alertId }) => alertId)).size).toBe(1);
    expect(outcomeOf(world).health.get(`w traffic ${START}`)).toBe(55);
  });

  test('continues when the stores were unavailable for a while', async () => {
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

  test('reads all of the log if no offset was ever committed, and counts each record once', async () => {
    const { outcome, world } = await undisturbed();
    world.committed = null;
    world.now = START + END * MINUTE_MS;
    await play(world, startLife(world), END + 1);
    expect(outcomeOf(world)).toEqual({ ...outcome, health: expect.anything() });
    expect([...outcomeOf(world).health].filter(([key]) => outcome.health.has(key))).toEqual([
      ...outcome.health,
    ]);
  });

  test('skips and logs an unreadable record', async () => {
    const world = createWorld();
    upload(world, { at: 1, requests: { 0: 12 } });
    world.log.push({
      partition: 0,
      offset: 1,
      key: 'w',
      value: Buffer.from('?'),
      appendedAt: START + MINUTE_MS,
    });
    upload(world, { at: 7, requests: { 6: 1 } });
    const life = startLife(world);
    await play(world, life, 10);
    expect([...world.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([1]);
    const metric = await life.registry.getSingleMetric('loglane_detector_unreadable_records_total')!.get();
    expect(metric.values[0]!.value).toBe(1);
  });

  test('drops the memory of an erased website, and of one that sent nothing for 40 days', async () => {
    const world = createWorld();
    for (const website of ['w', 'v']) upload(world, { at: 1, website, requests: { 0: 12 } });
    upload(world, { at: 7, requests: { 6: 1 } });
    const life = startLife(world);
    await play(world, life, 8);
    expect(life.detector.status().websites).toBe(2);
    world.erased.add('w');
    world.states.delete('w');
    world.arrivals.delete('w');
    upload(world, { at: 9, requests: { 8: 12 } });
    await play(world, life, 20);
    expect(life.detector.status().websites).toBe(1);
    expect([...world.states.keys(), ...world.arrivals.keys()]).toEqual(['v', 'v']);
    expect(world.budget.used).toBe(world.states.get('v')!.state.length);

    world.now += 41 * DAY_MS;
    await life.detector.work(world.now);
    expect(life.detector.status().websites).toBe(0);
    const next = startLife(world);
    await next.detector.work(world.now);
    expect(next.detector.status().websites).toBe(0);
  });

  test('forwards records of another partition, whose owner notes them', async () => {
    const world = createWorld();
    world.foreign.add('v');
    for (const website of ['v', 'w', 'v']) upload(world, { at: 1, website, requests: { 0: 12 } });
    append(world, START + MINUTE_MS, forgetRecord({ websiteId: 'v', address: '192.0.2.1' }));
    await play(world, startLife(world), 10);
    expect(world.forwarded.map(({ key }) => key)).toEqual(['v', 'v', 'v']);
    expect(world.sent.map(({ websiteId }) => websiteId)).toEqual(['w']);
    const next = createWorld();
    for (const record of world.forwarded) append(next, START + MINUTE_MS, record);
    next.requests.push(...world.requests);
    await play(next, startLife(next), 10);
    expect(next.sent.map(({ websiteId }) => websiteId)).toEqual(['v']);
  });

  test('leaves out a record that every owner forwards, after a bounded number of times', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const world = createWorld();
    world.foreign.add('v');
    upload(world, { at: 1, website: 'v', requests: { 0: 12 } });
    const life = startLife(world);
    for (let next = 0; next < world.log.length; next += 1) {
      const taken = life.detector.push(world.log.slice(next, next + 1));
      await vi.advanceTimersByTimeAsync(15_000);
      await taken;
      for (const record of world.forwarded.splice(0)) append(world, START, record);
    }
    vi.useRealTimers();
    expect(world.log).toHaveLength(21);
    expect(life.errors).toEqual(['a record of requests.stored has no owner among the detectors: left out']);
    expect(life.detector.position()).toBe(21);
  });

  test('continues if points of health cannot be read', async () => {
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

  test.each([0, 1, 300])(
    'with memory for %i characters of states has the same results',
    async (cacheBytes) => {
      const { outcome, world: whole } = await undisturbed();
      const world = Object.assign(busyWorld(), { cacheBytes });
      await play(world, startLife(world), END);
      expect(outcomeOf(world)).toEqual(outcome);
      expect(world.sent).toEqual(whole.sent);
    },
  );

  test('continues after an interval at which the core fails', async () => {
    const world = createWorld();
    for (const website of ['bad', 'good']) upload(world, { at: 1, website, requests: { 0: 12 } });
    const failing: typeof fakeCore = {
      ...fakeCore,
      *evaluateInterval(state, due, given) {
        if (state.websiteId === 'bad') throw new Error('whatever');
        return yield* fakeCore.evaluateInterval(state, due, given);
      },
    };
    const life = startLifeWith(failing, world);
    await play(world, life, 10);
    expect(world.sent.map(({ websiteId }) => websiteId)).toEqual(['good']);
    expect([life.crashes, life.errors]).toEqual([[], ['an interval was not evaluated']]);
  });
});
