import { expect, test } from 'vitest';
import { decodeStoredRecord } from '../../../../shared/detection/arrival-codec.js';
import {
  LogUnavailableError,
  type NewRecord,
  StaleAssignmentError,
} from '../../../../shared/event-log/event-log.js';
import type { GatheredArrival } from '../range/gather-arrivals.js';
import type { PreparedRange } from '../range/prepare-range.js';
import { sendArrivals } from './send-arrivals.js';

const rangeOf = (arrivals: readonly GatheredArrival[]) => ({ arrivals, token: 'the token' }) as PreparedRange;

const ofWebsite = (websiteId: string, receivedAt = 5): GatheredArrival => ({
  websiteId,
  receivedAt,
  hasPendingClaims: false,
  oldestMinute: 60_000,
  newestMinute: 360_000,
  intervals: [0, 300_000],
});

/** Sends the range's arrivals to a log with this answer. */
async function send(arrivals: readonly GatheredArrival[], answer: (records: readonly NewRecord[]) => void) {
  const appends: (readonly NewRecord[])[] = [];
  const pauses: number[] = [];
  const dropped: unknown[] = [];
  let delay = 0;
  const step = sendArrivals({
    log: {
      async append(topic, records) {
        expect(topic).toBe('requests.stored');
        appends.push(records);
        answer(records);
        return [];
      },
    },
    hold: {
      requireNotLost() {},
      async requireOurs() {},
      pause: async (_range, ms) => void pauses.push(ms),
    },
    attempts: { newDelay: () => () => ++delay },
    now: () => 99,
    onArrivalFailure() {},
    onArrivalsDropped: (_error, what) => dropped.push(what),
  });
  const range = rangeOf(arrivals);
  expect(await step.run(range)).toBe(range);
  const last = appends.at(-1) ?? [];
  return { appends, pauses, dropped, sent: last.map(({ value }) => decodeStoredRecord(value)), last };
}

test('a range of many websites is one append, with a record for each under its key', async () => {
  const arrivals = Array.from({ length: 200 }, (_, i) => ofWebsite(`w${i}`, i));
  const { appends, last, sent } = await send(arrivals, () => {});
  expect(appends).toHaveLength(1);
  expect(last.map(({ key }) => key)).toEqual(arrivals.map(({ websiteId }) => websiteId));
  expect(sent[7]).toEqual({
    kind: 'arrival',
    forwards: 0,
    websiteId: 'w7',
    arrival: { ...ofWebsite('w7', 7), storedAt: 99 },
  });
});

test('a range without arrivals appends nothing', async () => {
  expect((await send([], () => {})).appends).toEqual([]);
});

test('an unavailable log is retried with growing delays', async () => {
  let left = 3;
  const { appends, pauses } = await send([ofWebsite('w')], () => {
    left -= 1;
    if (left >= 0) throw new LogUnavailableError('away');
  });
  expect(appends).toHaveLength(4);
  expect(pauses).toEqual([1, 2, 3]);
});

/** A log that accepts commits but, while `isAway`, no arrivals. Only waits advance the clock. */
function createDeafLog() {
  const deaf = {
    isAway: true,
    now: 0,
    attempts: 0,
    /** Duration of the next commit. */
    commitMs: 0,
    isLost: false,
    dropped: [] as unknown[],
    step: sendArrivals({
      log: {
        async append() {
          deaf.attempts += 1;
          if (deaf.attempts > 1_000) throw new Error('tried without end');
          if (deaf.isAway) throw new LogUnavailableError('away');
          return [];
        },
      },
      hold: {
        requireNotLost() {
          if (deaf.isLost) throw new StaleAssignmentError('lost');
        },
        async requireOurs() {},
        async pause(_range, ms) {
          deaf.now += ms + deaf.commitMs;
          deaf.commitMs = 0;
        },
      },
      attempts: { newDelay: () => () => 1_000 },
      now: (): number => deaf.now,
      onArrivalFailure() {},
      onArrivalsDropped: (error, what) => deaf.dropped.push([error, what]),
    }),
    /** Number of attempts for the next range. */
    async next() {
      const before = deaf.attempts;
      const range = rangeOf([ofWebsite('w')]);
      expect(await deaf.step.run(range)).toBe(range);
      return deaf.attempts - before;
    },
  };
  return deaf;
}

test('a range continues without its arrivals after half a minute of refusals, and later ranges do not wait', async () => {
  const deaf = createDeafLog();
  expect(await deaf.next()).toBe(31);
  expect(deaf.now).toBe(30_000);
  expect(deaf.dropped).toEqual([[expect.any(LogUnavailableError), { token: 'the token', websites: 1 }]]);
  expect(await deaf.next()).toBe(1);
  expect(await deaf.next()).toBe(1);
  expect(deaf.now).toBe(30_000);
  expect(deaf.dropped).toHaveLength(3);
});

test('after arrivals are accepted again, later refusals are retried again', async () => {
  const deaf = createDeafLog();
  await deaf.next();
  deaf.isAway = false;
  expect(await deaf.next()).toBe(1);
  deaf.isAway = true;
  expect(await deaf.next()).toBe(31);
  expect(deaf.dropped).toHaveLength(2);
});

test('the wait of a commit for an unavailable log does not count as a refusal of arrivals', async () => {
  const deaf = createDeafLog();
  deaf.commitMs = 60_000;
  expect(await deaf.next()).toBe(31);
});

test('the loss of the partition is noticed even while arrivals are not retried', async () => {
  const deaf = createDeafLog();
  await deaf.next();
  deaf.isLost = true;
  await expect(deaf.next()).rejects.toBeInstanceOf(StaleAssignmentError);
  expect(deaf.dropped).toHaveLength(1);
});

test('an error that a retry cannot solve is not retried', async () => {
  const broken = () => {
    throw new Error('a defect');
  };
  await expect(send([ofWebsite('w')], broken)).rejects.toThrow('a defect');
});
