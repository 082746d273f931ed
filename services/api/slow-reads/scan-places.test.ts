import { describe, expect, it } from 'vitest';
import { StoreBusyError } from '../../../shared/clickhouse/store-errors.js';
import { createScanPlaces } from './scan-places.js';

function setUp(options = {}) {
  const places = createScanPlaces({ places: 2, maxWaiting: 10, maxWaitingOfOwner: 3, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const use = (owner: string, name: string) =>
    places.use(owner, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { use, started, end };
}

describe('places for scans', () => {
  it('runs one of an organisation at a time, and lets others past those of it that wait', async () => {
    const { use, started, end } = setUp();
    const all = [use('greedy', 'g1'), use('greedy', 'g2'), use('greedy', 'g3'), use('other', 'o1')];
    await new Promise(setImmediate);
    expect(started).toEqual(['g1', 'o1']);
    const third = use('third', 't1');
    await end('g1');
    // First come first served among those that may run.
    expect(started).toEqual(['g1', 'o1', 'g2']);
    await end('o1');
    expect(started).toEqual(['g1', 'o1', 'g2', 't1']);
    await end('g2');
    await end('t1');
    await end('g3');
    expect(await Promise.all([...all, third])).toEqual(['g1', 'g2', 'g3', 'o1', 't1']);
  });

  it("turns away what would wait beyond an organisation's share, and nobody who comes for the first time", async () => {
    const { use } = setUp({ places: 1, maxWaiting: 4 });
    void use('greedy', 'running');
    for (let n = 0; n < 3; n++) void use('greedy', `waiting ${n}`);
    await expect(use('greedy', 'one more')).rejects.toThrow(StoreBusyError);
    for (let n = 0; n < 10; n++) {
      void use(`other ${n}`, 'waits');
      await expect(use('greedy', 'one more')).rejects.toThrow(StoreBusyError);
    }
    await expect(use('other 3', 'one more')).rejects.toThrow(StoreBusyError);
  });

  it('gives the place back after a failure', async () => {
    const places = createScanPlaces({ places: 1, maxWaiting: 1, maxWaitingOfOwner: 1 });
    await expect(places.use('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await places.use('a', async () => 'ran')).toBe('ran');
  });
});
