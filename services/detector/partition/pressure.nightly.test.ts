import pino from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import {
  createWorld,
  fakeCore,
  START,
  startLife,
  startLifeWith,
  tell,
  type World,
} from '../../../test/harness/detector/partition-world.js';
import { botOf, minuteOf } from '../../../test/harness/detector/signal.js';
import { createDetectorMetrics } from '../metrics.js';
import { detectorCore } from '../open-detector.js';
import { takeSignal } from '../signals/website-signals.js';
import { createEvaluation } from './evaluate-due.js';
import { counting } from './open-intervals.js';
import { newTrackedWebsite } from './tracked-website.js';

describe('an owner that is short of memory', () => {
  test('holds a bounded number of open intervals: what is too much is judged before more is read', async () => {
    const world = createWorld();
    const requests = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [-5 * at, 1]));
    for (let website = 0; website < 12; website += 1)
      tell(world, { at: 1, website: `w${website}`, requests });
    world.now = START + MINUTE_MS;
    const life = startLife(world);
    for (const record of world.log) await life.detector.push([record]);
    expect(life.detector.status().openIntervals).toBeLessThanOrEqual(5_000);
    expect(world.health.size).toBeGreaterThan(0);
  });

  /** 5,200 intervals of websites that were not known before, in one piece. */
  function backlog(world: World, at: number) {
    const requests = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [at - 5 - 5 * index, 1]));
    const from = world.log.length;
    for (let website = 0; website < 13; website += 1)
      tell(world, { at, website: `backlog ${at} ${website}`, requests });
    return world.log.slice(from);
  }

  test('takes no website that delivers by the hour for silent because others have a backlog', async () => {
    const world = createWorld();
    const life = startLifeWith(detectorCore, world);
    const work = async (minute: number) => {
      world.now = START + minute * MINUTE_MS;
      await life.detector.work(world.now);
    };
    const LAST_HOUR = 60 * 60;
    for (let hour = 60; hour <= LAST_HOUR + 120; hour += 60) {
      const requests = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [hour - 60 + at, 10]));
      world.now = START + (hour + 1) * MINUTE_MS;
      tell(world, { at: hour + 1, website: 'hourly', requests });
      await life.detector.push(world.log.slice(-1));
      for (let minute = hour + 2; minute < hour + 60; minute += 5) {
        await work(minute);
        const isLate = minute === hour + 27 || minute === hour + 52;
        if (hour >= LAST_HOUR && isLate) await life.detector.push(backlog(world, minute));
      }
    }
    expect(life.detector.status().openIntervals).toBeLessThanOrEqual(5_000);
    expect(world.told.filter(({ websiteId }) => websiteId === 'hourly')).toEqual([]);
    // Nothing of it was lost over that.
    const judged = [...world.health.values()].filter(
      ({ websiteId, metric }) => websiteId === 'hourly' && metric === 'traffic',
    );
    expect(judged.filter(({ value }) => value > 0)).toHaveLength((LAST_HOUR + 120) / 5);
    expect(life.crashes).toEqual([]);
  });

  test('presses the websites that weigh most where it is memory that lacks, and those only as far as it has to', async () => {
    const websites = new Map(['light', 'heavy'].map((id) => [id, newTrackedWebsite(fakeCore, id)]));
    const open = { count: 0, weight: 0 };
    const take = (id: string, minute: number, texts: number) => {
      const byBot = Array.from({ length: texts }, (_, at) =>
        botOf({ name: `n${at}`, samplePath: '/'.repeat(120), sampleUserAgent: 'u'.repeat(200) }),
      );
      counting(open, websites.get(id)!, () =>
        takeSignal(websites.get(id)!.signals, {
          ...{ token: `requests.raw/0/${id}${minute}/m`, websiteId: id, storedAt: START },
          minutes: [minuteOf({ minute: START - minute * MINUTE_MS, requests: 1, byBot })],
        }),
      );
    };
    for (let minute = 10; minute < 510; minute += 5) take('light', minute, 0);
    for (let minute = 10; minute < 110; minute += 5) take('heavy', minute, 40);
    const most = open.weight / 2;
    const evaluation = createEvaluation({
      ...{ core: fakeCore, open, isErased: () => false, now: () => START, giveTurn: async () => {} },
      circumstancesOf: () => ({
        settings: defaultAlertSettings,
        suppressed: new Set<string>(),
        sharedNetworkOf: () => null,
      }),
      metrics: createDetectorMetrics(
        new Registry(),
        () => ({ statuses: [], through: 0, now: START }),
        async () => new Map(),
      ),
      logger: pino({ level: 'silent' }),
      shortOf: () => (open.weight > most ? 'weight' : null),
    });
    await evaluation.evaluate(websites, { through: 0, counted: START });
    expect(websites.get('light')!.signals.open.size).toBe(100);
    expect(open.weight).toBeLessThanOrEqual(most);
    expect(open.weight).toBeGreaterThan(most * 0.9);
    expect(open.count).toBe(100 + websites.get('heavy')!.signals.open.size);
  });

  test('presses the websites with most open intervals, and those only as far as it has to', async () => {
    const world = createWorld();
    const life = startLife(world);
    tell(world, { at: 1, website: 'small', requests: { '-10': 1, '-20': 1 } });
    await life.detector.push(world.log.slice(-1));
    await life.detector.push(backlog(world, 1));
    expect(life.detector.status().openIntervals).toBe(5_000);
    expect([...world.health.values()].filter(({ websiteId }) => websiteId === 'small')).toEqual([]);
  });
});
