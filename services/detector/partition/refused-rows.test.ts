import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createWorld,
  play,
  startLife,
  upload,
  type World,
} from '../../../test/harness/detector/partition-world.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** ClickHouse's errors for a value that it cannot parse, and for a missing column. */
const refusal = (code: string) => Object.assign(new Error('refused'), { code });

/** Two websites with one alert each. */
function busyWorld(): World {
  const world = createWorld();
  for (const website of ['good', 'bad', 'better']) upload(world, { at: 1, website, requests: { 0: 12 } });
  return world;
}

/** Advances the fake clock through the waits between attempts. */
async function untilDone(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(1_000);
}

const refused = async (life: ReturnType<typeof startLife>, table: string) =>
  (await life.registry.getSingleMetric('loglane_detector_refused_rows_total')!.get()).values.find(
    ({ labels }) => labels.table === table,
  )?.value;

describe('an owner of a partition whose rows the store permanently refuses', () => {
  test('leaves out the refused row of an alert, and sends its record', async () => {
    const world = busyWorld();
    const life = startLife(world, (step, given) => {
      const rows = (step === 'save alerts' ? given : []) as { websiteId: string }[];
      if (rows.some(({ websiteId }) => websiteId === 'bad')) throw refusal('27');
    });
    await untilDone(play(world, life, 12));
    expect([...world.alerts.values()].map(({ websiteId }) => websiteId).sort()).toEqual(['better', 'good']);
    expect(world.sent.map(({ websiteId }) => websiteId).sort()).toEqual(['bad', 'better', 'good']);
    expect(await refused(life, 'alerts')).toBe(1);
    expect(life.errors).toEqual(['rows are left out']);
    expect([...world.health.keys()].some((key) => key.startsWith('bad '))).toBe(true);
  });

  test('leaves out the refused point of health', async () => {
    const world = busyWorld();
    const life = startLife(world, (step, given) => {
      const rows = (step === 'save health' ? given : []) as { websiteId: string }[];
      if (rows.some(({ websiteId }) => websiteId === 'bad')) throw refusal('27');
    });
    await untilDone(play(world, life, 8));
    expect(new Set([...world.health.values()].map(({ websiteId }) => websiteId))).toEqual(
      new Set(['good', 'better']),
    );
    expect(await refused(life, 'health_points')).toBeGreaterThan(0);
  });

  test.each(['states', 'arrivals'] as const)(
    'saves the other %s, and commits no offset if arrivals are refused',
    async (of) => {
      const world = busyWorld();
      let isRefused = true;
      const life = startLife(world, (step, given) => {
        const rows = (step === `save ${of}` && isRefused ? given : []) as { websiteId: string }[];
        if (rows.some(({ websiteId }) => websiteId === 'bad')) throw refusal('27');
      });
      await untilDone(play(world, life, 12));
      await untilDone(life.detector.save());
      expect([...world[of].keys()].sort()).toEqual(['better', 'good']);
      // A refused state is lost at a restart, even if offsets are committed.
      expect(world.committed?.offset).toBe(of === 'states' ? 3 : 0);
      expect(await refused(life, `detector_${of}`)).toBeGreaterThan(0);
      isRefused = false;
      upload(world, { at: 13, website: 'bad', requests: { 12: 1 } });
      await untilDone(play(world, life, 20));
      expect([...world[of].keys()].sort()).toEqual(['bad', 'better', 'good']);
      expect(world.committed?.offset).toBe(4);
    },
  );

  test('waits while the store lacks a table or column, and leaves out nothing', async () => {
    const world = busyWorld();
    let attempts = 0;
    const life = startLife(world, (step) => {
      if (step !== 'save alerts') return;
      attempts += 1;
      if (attempts <= 20) throw refusal('16');
    });
    await untilDone(play(world, life, 12));
    expect(world.alerts.size).toBe(3);
    expect(attempts).toBe(21);
    expect(await refused(life, 'alerts')).toBeUndefined();
  });
});
