import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  createWorld,
  play,
  START,
  startLife,
  startLifeWith,
  tell,
} from '../../../test/harness/detector/partition-world.js';
import { UNREADABLE_RETRY_MS } from '../keep-trying.js';
import { detectorCore } from '../open-detector.js';
import { encodeSignals } from '../signals/signals-codec.js';
import { newWebsiteSignals } from '../signals/website-signals.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is under way and waits for no timer ends. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('an owner of a partition', () => {
  test.each([
    ['is no state at all', '?'],
    ['has signals of another version', '{"version":99}\nstate'],
    ['has another version', `${encodeSignals(newWebsiteSignals())}\n{"version":99,"websiteId":"w"}`],
  ])('begins a website anew whose state %s', async (_, state) => {
    const world = createWorld();
    world.states.set('w', { websiteId: 'w', state, partition: 0, offset: 0, savedAt: START });
    tell(world, { at: 1, requests: { 0: 12 } });
    const life = startLifeWith(detectorCore, world);
    await play(world, life, 10);
    expect(life.detector.status()).toMatchObject({ isLoaded: true, websites: 1 });
    expect(life.errors).toEqual([expect.stringContaining('begun anew')]);
  });

  /** What a read of a row throws that does not fit its schema. */
  const unreadable = () => z.number().parse('a row');

  test('asks for a row that it can not read only now and then: the partition is not ready, and nothing is written', async () => {
    const world = createWorld();
    tell(world, { at: 1, requests: { 0: 12 } });
    let reads = 0;
    const life = startLife(world, (step) => {
      if (step !== 'states' && step !== 'sizes') return;
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

  test('says so where it meets what it can not read when it has the partition already', async () => {
    const world = createWorld();
    tell(world, { at: 1, requests: { 0: 12 } });
    let isBroken = true;
    const life = startLife(world, (step) => {
      if (step === 'read alerts' && isBroken) unreadable();
    });
    const counting = life.detector.push(world.log);
    await settle();
    expect(life.detector.status().isLoaded).toBe(false);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(UNREADABLE_RETRY_MS);
    await counting;
    expect(life.detector.status()).toMatchObject({ isLoaded: true, websites: 1 });
  });
});
