import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createMemoryStore, fakeCore, START } from '../../../test/harness/detector/partition-world.js';
import { minuteOf } from '../../../test/harness/detector/signal.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import { createDetectorMetrics } from '../metrics.js';
import { newTrackedWebsite } from './tracked-website.js';
import { createOutcomeWriter } from './write-outcome.js';

test('health is written again of what had changed, though more changes without a pause', async () => {
  const { store } = createMemoryStore();
  const website = newTrackedWebsite(fakeCore, 'w');
  const { changed } = website.signals;
  const starts = Array.from({ length: 500 }, (_, at) => START - at * INTERVAL_MS);
  for (const start of starts) changed.add(start);
  const read: number[] = [];
  const writer = createOutcomeWriter({
    core: { valueOf: () => minuteOf({}).requests },
    store: {
      ...store,
      async healthOf(_id, some) {
        if (read.length > 5_000) throw new Error('it does not end');
        read.push(...some);
        for (const start of some) changed.add(start);
        return [];
      },
    },
    sendAlerts: async () => {},
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
    metrics: createDetectorMetrics(
      new Registry(),
      () => ({ statuses: [], through: 0, now: START }),
      async () => new Map(),
    ),
    logger: pino({ level: 'silent' }),
    now: () => START,
  });
  await writer.rewriteHealth(website);
  expect(read).toEqual(starts);
  expect(changed.size).toBe(starts.length);
});
