import pino from 'pino';
import { expect, test } from 'vitest';
import { type Alert, alertIdOf } from '../../../shared/alerts/alert.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { SeenAlerts } from '../../../shared/reads/alerts/alert-writes.js';
import { AnswerTooLongError, StoreUnavailableError } from '../../../shared/store/store-errors.js';
import { createMemoryStore } from '../../../test/harness/detector/memory-store.js';
import { START } from '../../../test/harness/detector/partition-world.js';
import { adoptStored } from './adopt-stored.js';
import { newTrackedWebsite } from './tracked-website.js';

function alertOf(websiteId: string, number: number): Alert {
  const createdAt = START + Math.floor(number / 5) * MINUTE_MS;
  const found = {
    websiteId,
    type: 'hacking_probe',
    severity: 'warning',
    subject: `${number}`,
    createdAt,
  } as const;
  return {
    ...found,
    alertId: alertIdOf(found),
    message: '',
    details: {},
    lastSeen: createdAt,
    occurrences: 1,
  };
}

/** Websites with their last noted minute after START, and the given number of alerts each, five a minute. */
function known(minutes: Readonly<Record<string, number>>, alerts: number) {
  const memory = createMemoryStore();
  const websites = Object.entries(minutes).map(([id, minute]) => {
    const website = newTrackedWebsite(id);
    website.arrivals.next = START + minute * MINUTE_MS;
    for (let number = 0; number < alerts; number += 1) {
      const alert = alertOf(id, number);
      memory.alerts.set(alert.alertId, alert);
    }
    return website;
  });
  return { ...memory, websites };
}

async function adopt(
  { websites, store }: ReturnType<typeof known>,
  alertsSeen: (of: SeenAlerts) => Promise<Alert[]> = store.alertsSeen,
) {
  const sent: string[] = [];
  const errors: string[] = [];
  await adoptStored(websites, {
    store: { alertsSeen },
    logger: pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).website_id) }),
    now: START,
    sendRecords: async (alerts) =>
      void sent.push(...alerts.map(({ websiteId, subject }) => `${websiteId} ${subject}`)),
  });
  return { sent, errors, adopted: websites.map(({ adopted }) => adopted.length) };
}

test('alerts are read from the next interval of each website on, and each record is sent once, over many pages', async () => {
  const world = known({ v: 990, w: 0 }, 5_000);
  const pages: number[] = [];
  const { sent, adopted } = await adopt(world, async (of) => {
    const page = await world.store.alertsSeen(of);
    pages.push(page.length);
    return page;
  });
  // The interval itself is excluded: alerts of the last closed interval are in the state.
  expect(sent.filter((one) => one.startsWith('v'))).toHaveLength(9 * 5);
  expect(sent.filter((one) => one.startsWith('w'))).toHaveLength(999 * 5);
  expect(new Set(sent).size).toBe(sent.length);
  expect(adopted).toEqual([45, 4_995]);
  expect(Math.max(...pages)).toBe(1_000);
});

test('a page that is too large for an answer is read in smaller pages', async () => {
  const world = known({ v: 0, w: 0 }, 300);
  const { sent, errors } = await adopt(world, async (of) => {
    if (of.most > 70) throw new AnswerTooLongError('the answer is too long');
    return world.store.alertsSeen(of);
  });
  expect(sent).toHaveLength(2 * 295);
  expect(new Set(sent).size).toBe(sent.length);
  expect(errors).toEqual([]);
});

test('a website whose alerts cannot be read continues without them, and other websites keep theirs', async () => {
  const world = known({ u: 0, v: 0, w: 0 }, 20);
  const { adopted, errors } = await adopt(world, async (of) => {
    if (of.later.has('v')) throw new AnswerTooLongError('the answer is too long');
    return world.store.alertsSeen(of);
  });
  expect(adopted).toEqual([15, 0, 15]);
  expect(errors).toEqual(['v']);
});

test('an unavailable store throws, so that the caller waits', async () => {
  const away = adopt(known({ v: 0, w: 0 }, 20), async () => {
    throw new StoreUnavailableError('away');
  });
  await expect(away).rejects.toThrow(StoreUnavailableError);
});
