import pino from 'pino';
import { expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { createMemoryStore } from '../../../test/harness/detector/memory-store.js';
import { START } from '../../../test/harness/detector/partition-world.js';

import { recountHealth } from './recount-health.js';
import { newTrackedWebsite } from './tracked-website.js';

test('health is recounted for the intervals that had changed, even if more change continuously', async () => {
  const { store } = createMemoryStore();
  const website = newTrackedWebsite('w');
  const { changed } = website.arrivals;
  const starts = Array.from({ length: 500 }, (_, at) => START + at * INTERVAL_MS);
  for (const start of starts.toReversed()) changed.add(start);
  const read: number[] = [];
  await recountHealth(website, {
    core: { valueOf: (_metric, { requests }) => requests },
    store: {
      ...store,
      async healthOf(_id, some) {
        if (read.length > 5_000) throw new Error('it does not end');
        read.push(...some);
        for (const start of some) changed.add(start);
        return [];
      },
    },
    writer: { saveHealth: async () => {} },
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
    logger: pino({ level: 'silent' }),
  });
  expect(read).toEqual(starts);
  expect(changed.size).toBe(starts.length);
});
