import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { MINUTE_MS } from '../../../shared/durations.js';
import {
  createWorld,
  play,
  START,
  startLife,
  startLifeWith,
  upload,
} from '../../../test/harness/detector/partition-world.js';
import { detectorCore } from '../open-detector.js';
import { UNREADABLE_RETRY_MS } from './keep-trying.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs pending work that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('an owner of a partition', () => {
  test.each([
    ['is no state at all', '?'],
    ['has another version', '{"version":99,"websiteId":"w"}'],
  ])('replaces the state of a website if it %s', async (_, state) => {
    const world = createWorld();
    world.states.set('w', { websiteId: 'w', state, savedAt: START });
    upload(world, { at: 1, requests: { 0: 12 } });
    const life = startLifeWith(detectorCore, world);
    await play(world, life, 10);
    expect(life.detector.status()).toMatchObject({ isLoaded: true, websites: 1 });
    expect(life.errors).toEqual([expect.stringContaining('starts with a new one')]);
  });

  /** The error of a read whose row does not fit its schema. */
  const unreadable = () => z.number().parse('a row');

  test('retries an unreadable row every few minutes: the partition is not ready, and nothing is written', async () => {
    const world = createWorld();
    upload(world, { at: 1, requests: { 0: 12 } });
    let reads = 0;
    const life = startLife(world, (step) => {
      if (step !== 'arrivals') return;
      reads += 1;
      unreadable();
    });
    const counting = life.detector.push(world.log);
    await vi.advanceTimersByTimeAsync(3.5 * UNREADABLE_RETRY_MS);
    expect(reads).toBe(4);
    expect(life.detector.status().isLoaded).toBe(false);
    expect([life.crashes, life.errors.length, world.committed]).toEqual([[], 4, null]);
    life.lose();
    await counting;
  });

  test.each(['counts', 'states'])(
    'reports not ready if it meets %s that it cannot read after the partition was loaded',
    async (what) => {
      const world = createWorld();
      upload(world, { at: 1, requests: { 0: 12 } });
      let isBroken = true;
      const life = startLife(world, (step) => {
        if (step === what && isBroken) unreadable();
      });
      await life.detector.push(world.log);
      world.now = START + 10 * MINUTE_MS;
      const working = life.detector.work(world.now);
      await settle();
      expect(life.detector.status().isLoaded).toBe(false);
      isBroken = false;
      await vi.advanceTimersByTimeAsync(UNREADABLE_RETRY_MS);
      await working;
      expect(life.detector.status()).toMatchObject({ isLoaded: true, websites: 1 });
      expect(world.sent).toHaveLength(1);
    },
  );
});
