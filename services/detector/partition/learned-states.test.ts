import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { AnswerTooLongError } from '../../../shared/store/store-errors.js';
import { type FakeState, fakeCore } from '../../../test/harness/detector/fake-core.js';
import { createMemoryStore } from '../../../test/harness/detector/memory-store.js';
import { START } from '../../../test/harness/detector/partition-world.js';
import { createDetectorMetrics } from './detector-metrics.js';
import { createLearnedStates } from './learned-states.js';
import { createStateCache } from './state-cache.js';
import { newTrackedWebsite } from './tracked-website.js';

const IDS = Array.from({ length: 9 }, (_, index) => `w${index}`);

/** Stored states; the ids of each read are recorded. */
function learned(most = Number.POSITIVE_INFINITY) {
  const memory = createMemoryStore();
  const read: string[][] = [];
  const errors: string[] = [];
  const budget = { most, used: 0 };
  const store = {
    ...memory.store,
    async states(ids: readonly string[]) {
      if (ids.length > 4 || ids.includes('w7')) throw new AnswerTooLongError('the answer is too long');
      read.push([...ids]);
      return memory.store.states(ids);
    },
  };
  for (const id of IDS) {
    const state = fakeCore.encode({ ...fakeCore.newState(id), next: 7 });
    memory.states.set(id, { websiteId: id, state: id === 'w3' ? '?' : state, savedAt: START });
  }
  const states = createLearnedStates<FakeState>({
    ...{ core: fakeCore, store, cache: createStateCache(budget), isErased: () => false, now: () => START },
    checkOwner: async () => {},
    trying: {
      left: new AbortController().signal,
      onFailure(error) {
        throw error;
      },
      onUnreadable(error) {
        throw error;
      },
      onReadable() {},
    },
    giveTurn: async () => {},
    metrics: createDetectorMetrics(
      new Registry(),
      () => ({ statuses: [], through: 0, now: START }),
      async () => new Map(),
    ),
    logger: pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).website_id) }),
  });
  const load = async (ids: readonly string[]) =>
    [...(await states.load(ids.map(newTrackedWebsite)))].map(([id, { next }]) => [id, next]);
  return { states, load, read, errors, budget, memory };
}

test('states are read in parts that fit an answer, and an unreadable one is replaced by a new one', async () => {
  const { load, errors } = learned();
  const loaded = await load([...IDS, 'unknown']);
  expect(new Map(loaded as [string, number][])).toEqual(
    new Map([...IDS.map((id) => [id, id === 'w7' || id === 'w3' ? 0 : 7] as const), ['unknown', 0]]),
  );
  expect(errors.sort()).toEqual(['w3', 'w7']);
});

test('the most recently used states stay in memory, up to the limit', async () => {
  const length = fakeCore.encode({ ...fakeCore.newState('w0'), next: 7 }).length;
  const { load, read, budget } = learned(2 * length);
  await load(['w0', 'w1']);
  await load(['w0']);
  await load(['w2']);
  expect(read).toEqual([['w0', 'w1'], ['w2']]);
  expect(budget.used).toBe(2 * length);
  await load(['w0']);
  expect(read).toHaveLength(2);
  await load(['w1']);
  expect(read.at(-1)).toEqual(['w1']);
});

test('a saved state is read back unchanged', async () => {
  const { states, load, memory } = learned(0);
  const loaded = await states.load([newTrackedWebsite('w1')]);
  loaded.get('w1')!.next = 9;
  await states.save(loaded);
  expect(memory.states.get('w1')!.state).toContain('"next":9');
  expect(await load(['w1'])).toEqual([['w1', 9]]);
});
