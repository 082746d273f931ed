import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { detectorCore } from '../open-detector.js';
import { encodeSignals } from '../signals/signals-codec.js';
import { newWebsiteSignals } from '../signals/website-signals.js';
import { createWorld, play, START, startLife, startLifeWith, tell } from './partition-world.fixture.js';

describe('an owner of a partition', () => {
  describe('that meets what a later release stored', () => {
    const LATER = {
      signals: '{"version":99}\nstate',
      state: `${encodeSignals(newWebsiteSignals())}\n{"version":99,"websiteId":"w"}`,
    };

    test.each(Object.entries(LATER))('does not take the partition: %s', async (_, state) => {
      const world = createWorld();
      const stored = { websiteId: 'w', state, partition: 0, offset: 0, savedAt: START };
      world.states.set('w', stored);
      tell(world, { at: 1, requests: { 0: 12 } });
      const life = startLifeWith(detectorCore, world);
      await play(world, life, 10);
      await life.detector.save();
      expect(life.detector.status()).toMatchObject({ isLoaded: false, websites: 0 });
      expect(life.crashes).toEqual([]);
      expect(life.errors).toEqual([expect.stringContaining('partition is not taken')]);
      expect([world.states.get('w'), world.committed]).toEqual([stored, null]);
    });

    test('begins a website anew whose state is no state at all', async () => {
      const world = createWorld();
      world.states.set('w', { websiteId: 'w', state: '?', partition: 0, offset: 0, savedAt: START });
      tell(world, { at: 1, requests: { 0: 12 } });
      const life = startLifeWith(detectorCore, world);
      await play(world, life, 10);
      expect(life.detector.status()).toMatchObject({ isLoaded: true, websites: 1 });
      expect(life.errors).toEqual([expect.stringContaining('begun anew')]);
    });
  });

  /** What a read of a row throws that no schema of this release fits. */
  const unreadable = () => z.number().parse('a row');

  test('asks for no row again that it can not read: the partition is not ready, and nothing is written', async () => {
    const world = createWorld();
    tell(world, { at: 1, requests: { 0: 12 } });
    let reads = 0;
    const life = startLife(world, (step) => {
      if (step !== 'states' && step !== 'sizes') return;
      reads += 1;
      unreadable();
    });
    await play(world, life, 10);
    expect(reads).toBe(1);
    expect(life.detector.status().isLoaded).toBe(false);
    expect([life.crashes, life.errors.length, world.committed]).toEqual([[], 1, null]);
  });
});
