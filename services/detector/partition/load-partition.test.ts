import pino from 'pino';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { createMemoryStore } from '../../../test/harness/detector/memory-store.js';
import { START } from '../../../test/harness/detector/partition-world.js';
import { encodeArrivals } from '../arrivals/arrivals-codec.js';
import { isBeginning, newWebsiteArrivals } from '../arrivals/website-arrivals.js';
import { loadPartition } from './load-partition.js';

function storedArrivals(websiteId: string, storedAt = START) {
  const arrivals = newWebsiteArrivals();
  arrivals.punctuality.storedAt = storedAt;
  return { websiteId, arrivals: encodeArrivals(arrivals), savedAt: START };
}

test('loads all own websites, except one with an unreadable row and one that was silent for 40 days', async () => {
  const memory = createMemoryStore();
  for (const id of ['a', 'b', 'foreign']) memory.arrivals.set(id, storedArrivals(id));
  memory.arrivals.set('old', storedArrivals('old', START - 40 * DAY_MS));
  memory.arrivals.set('?', { websiteId: '?', arrivals: '{"version":99}', savedAt: START });
  const errors: string[] = [];
  const websites = await loadPartition({
    store: memory.store,
    logger: pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).website_id) }),
    now: START,
    isOwn: (id) => id !== 'foreign',
    sendRecords: async () => {},
  });
  expect([...websites.keys()]).toEqual(['a', 'b']);
  expect(errors).toEqual(['?']);
});

test('a website restarts if its last owner was repeating its evaluation', async () => {
  const memory = createMemoryStore();
  const arrivals = newWebsiteArrivals();
  arrivals.punctuality.storedAt = START;
  arrivals.next = START - HOUR_MS;
  arrivals.renewal = { from: START - DAY_MS, to: START };
  memory.arrivals.set('w', { websiteId: 'w', arrivals: encodeArrivals(arrivals), savedAt: START });
  const websites = await loadPartition({
    store: memory.store,
    logger: pino({ level: 'silent' }),
    now: START,
    isOwn: () => true,
    sendRecords: async () => {},
  });
  expect(isBeginning(websites.get('w')!.arrivals)).toBe(true);
});
