import pino from 'pino';
import { expect, test } from 'vitest';
import { AnswerTooLongError } from '../../../shared/clickhouse/store-errors.js';
import { createMemoryStore, fakeCore, START } from '../../../test/harness/detector/partition-world.js';
import { loadPartition } from './load-partition.js';
import { encodeTracked, MAX_STATE_BYTES, newTrackedWebsite } from './tracked-website.js';

function storedState(websiteId: string) {
  const website = newTrackedWebsite(fakeCore, websiteId);
  website.signals.delivery.storedAt = START;
  return { websiteId, state: encodeTracked(fakeCore, website), partition: 0, offset: 1, savedAt: START };
}

function load(store: ReturnType<typeof createMemoryStore>['store']) {
  const errors: string[] = [];
  const logger = pino(
    { level: 'error' },
    {
      write(line) {
        const { msg, website_id } = JSON.parse(line);
        errors.push(`${website_id}: ${msg}`);
      },
    },
  );
  const loading = loadPartition({
    ...{ core: fakeCore, store, logger, partition: 0, ends: new Map([[0, 9]]), now: START },
    isOwn: () => true,
    tell: async () => {},
  });
  return loading.then((websites) => ({ websites: [...websites.keys()].sort(), errors }));
}

const IDS = Array.from({ length: 9 }, (_, index) => `w${index}`);

function storeOfAll() {
  const memory = createMemoryStore();
  for (const id of IDS) memory.states.set(id, storedState(id));
  return memory;
}

test('a website whose state is longer than a read takes begins anew, and the others are loaded', async () => {
  const memory = storeOfAll();
  memory.states.set('w4', { ...storedState('w4'), state: '\u0001'.repeat(MAX_STATE_BYTES + 1) });
  const read: string[] = [];
  const states = (ids: readonly string[]) => {
    read.push(...ids);
    return memory.store.states(ids);
  };
  const { websites, errors } = await load({ ...memory.store, states });
  expect(websites).toEqual(IDS.filter((id) => id !== 'w4'));
  expect(errors).toEqual(['w4: a stored state can not be read: begun anew']);
  expect(read).not.toContain('w4');
});

test('states that are too much for an answer are asked for in smaller parts, down to the one that is too much alone', async () => {
  const { store } = storeOfAll();
  const states = async (ids: readonly string[]) => {
    if (ids.length > 4 || ids.includes('w7')) throw new AnswerTooLongError('the answer is too long');
    return store.states(ids);
  };
  const { websites, errors } = await load({ ...store, states });
  expect(websites).toEqual(IDS.filter((id) => id !== 'w7'));
  expect(errors).toEqual(['w7: a stored state can not be read: begun anew']);
});
