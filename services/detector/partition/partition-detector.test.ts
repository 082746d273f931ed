import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgetRecord, passedOnRecord } from '../../../shared/detection/signal-codec.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { busyWorld, END, outcomeOf, undisturbed } from '../../../test/harness/detector/busy-world.js';
import {
  createWorld,
  fakeCore,
  type Life,
  play,
  START,
  type Step,
  startLife,
  startLifeWith,
  tell,
} from '../../../test/harness/detector/partition-world.js';

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

  test('passes on what is another partition’s, and what was passed on before only where it stood in the log at the takeover, whatever its time', async () => {
    const world = createWorld();
    world.foreign.add('v');
    for (const at of [-2, -1, 1, 2]) tell(world, { at, website: 'v', requests: { 0: 12 } });
    for (const offset of [1, 3]) {
      const record = world.log[offset]!;
      world.log[offset] = { ...record, ...passedOnRecord({ ...record, partition: 5, offset: 7 }) };
    }
    const later = world.log.splice(2);
    const life = startLife(world);
    await life.detector.work(world.now);
    world.log.push(...later);
    await play(world, life, 10);
    expect(world.forwarded.map(({ offset }) => offset)).toEqual([0, 1, 2]);
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
