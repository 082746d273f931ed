import { expect, test } from 'vitest';
import {
  LogUnavailableError,
  type NewRecord,
  StaleAssignmentError,
} from '../../../../shared/event-log/event-log.js';
import { botOf, clientOf, decodeSignal, minuteOf } from '../../../../test/harness/detector/signal.js';
import type { WebsiteMinutes } from '../../signals/gather-signals.js';
import type { PreparedRange } from '../prepare-range.js';
import { sendSignals } from './send-signals.js';

const rangeOf = (signals: readonly WebsiteMinutes[]) => ({ signals, token: 'the token' }) as PreparedRange;

/** Sends the range's signals to a log that answers so. */
async function send(signals: readonly WebsiteMinutes[], answer: (records: readonly NewRecord[]) => void) {
  const appends: (readonly NewRecord[])[] = [];
  const pauses: number[] = [];
  const dropped: unknown[] = [];
  let delay = 0;
  const step = sendSignals({
    log: {
      async append(topic, records) {
        expect(topic).toBe('requests.signals');
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
    onSignalFailure() {},
    onSignalDropped: (_error, what) => dropped.push(what),
  });
  const range = rangeOf(signals);
  expect(await step.run(range)).toBe(range);
  const last = appends.at(-1) ?? [];
  return { appends, pauses, dropped, sent: last.map(({ value }) => decodeSignal(value)), last };
}

const website = (websiteId: string, ...minutes: ReturnType<typeof minuteOf>[]) => ({ websiteId, minutes });
const tooLarge = () => {
  throw new RangeError('too large');
};

test('a range of many websites is one append, a record for each under its key', async () => {
  const signals = Array.from({ length: 200 }, (_, i) => website(`w${i}`, minuteOf({ requests: i })));
  const { appends, last, sent } = await send(signals, () => {});
  expect(appends).toHaveLength(1);
  expect(last.map(({ key }) => key)).toEqual(signals.map(({ websiteId }) => websiteId));
  expect(sent[7]).toEqual({
    token: 'the token',
    websiteId: 'w7',
    storedAt: 99,
    minutes: signals[7]!.minutes,
  });
});

test('a range without signals appends nothing', async () => {
  expect((await send([], tooLarge)).appends).toEqual([]);
});

test('a log that is away is waited for, longer each time', async () => {
  let left = 3;
  const { appends, pauses } = await send([website('w', minuteOf({ requests: 1 }))], () => {
    left -= 1;
    if (left >= 0) throw new LogUnavailableError('away');
  });
  expect(appends).toHaveLength(4);
  expect(pauses).toEqual([1, 2, 3]);
});

const long = (kind: string, i: number) => `${kind} ${i} ${'x'.repeat(280)}`;
const full = minuteOf({
  requests: 7,
  byBot: Array.from({ length: 40 }, (_, i) => botOf({ name: `Bot ${i}`, sampleUserAgent: long('agent', i) })),
  byClient: Array.from({ length: 30 }, (_, i) =>
    clientOf({ ip: `192.0.2.${i}`, requests: 30 - i, samplePaths: [long('path', i)] }),
  ),
});

test('a signal that is too large keeps its counts and the heaviest of its lists', async () => {
  const minutes = Array.from({ length: 200 }, (_, i) => ({ ...full, minute: i * 60_000 }));
  const { sent, last, dropped } = await send([website('w', ...minutes), website('v', full)], () => {});
  expect(last[0]!.value.length).toBeLessThan(1024 ** 2);
  expect(sent[0]!.minutes).toHaveLength(200);
  for (const { requests, byClient } of sent[0]!.minutes) {
    expect(requests).toBe(7);
    expect(byClient.length).toBeGreaterThan(0);
    expect(byClient.length).toBeLessThan(30);
    expect(byClient[0]!.ip).toBe('192.0.2.0');
  }
  expect(sent[1]!.minutes).toEqual([full]);
  expect(dropped).toEqual([]);
});

test('what the log refuses for its size goes without lists', async () => {
  const { sent, dropped } = await send([website('w', full)], ([record]) => {
    if (record!.value.length > 1_000) tooLarge();
  });
  expect(sent).toEqual([
    expect.objectContaining({ minutes: [{ ...full, byBot: [], byClient: [], failingPaths: [] }] }),
  ]);
  expect(dropped).toEqual([]);
});

test('what the log refuses even so is dropped, and the range goes on', async () => {
  const { appends, dropped } = await send([website('w', full)], tooLarge);
  expect(appends).toHaveLength(2);
  expect(dropped).toEqual([{ token: 'the token', websites: 1 }]);
});

/** A log that takes commits and, while `isAway`, no signals; the clock moves with the waits alone. */
function createDeafLog() {
  const deaf = {
    isAway: true,
    now: 0,
    attempts: 0,
    /** How long the next commit takes. */
    commitMs: 0,
    isLost: false,
    dropped: [] as unknown[],
    step: sendSignals({
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
      onSignalFailure() {},
      onSignalDropped: (error, what) => deaf.dropped.push([error, what]),
    }),
    /** How many attempts the next range takes. */
    async next() {
      const before = deaf.attempts;
      const range = rangeOf([website('w', minuteOf({ requests: 1 }))]);
      expect(await deaf.step.run(range)).toBe(range);
      return deaf.attempts - before;
    },
  };
  return deaf;
}

test('a range goes on without signals that are not taken for half a minute, and those after it do not wait', async () => {
  const deaf = createDeafLog();
  expect(await deaf.next()).toBe(31);
  expect(deaf.now).toBe(30_000);
  expect(deaf.dropped).toEqual([[expect.any(LogUnavailableError), { token: 'the token', websites: 1 }]]);
  expect(await deaf.next()).toBe(1);
  expect(await deaf.next()).toBe(1);
  expect(deaf.now).toBe(30_000);
  expect(deaf.dropped).toHaveLength(3);
});

test('once signals are taken again, the next that are not are waited for', async () => {
  const deaf = createDeafLog();
  await deaf.next();
  deaf.isAway = false;
  expect(await deaf.next()).toBe(1);
  deaf.isAway = true;
  expect(await deaf.next()).toBe(31);
  expect(deaf.dropped).toHaveLength(2);
});

test('what a commit waits for a log that is away as a whole is not held against the signals', async () => {
  const deaf = createDeafLog();
  deaf.commitMs = 60_000;
  expect(await deaf.next()).toBe(31);
});

test('who has lost the partition learns it, though signals are not waited for any more', async () => {
  const deaf = createDeafLog();
  await deaf.next();
  deaf.isLost = true;
  await expect(deaf.next()).rejects.toBeInstanceOf(StaleAssignmentError);
  expect(deaf.dropped).toHaveLength(1);
});

test('a failure that a repeat would not mend is not repeated', async () => {
  const broken = () => {
    throw new Error('a defect');
  };
  await expect(send([website('w', full)], broken)).rejects.toThrow('a defect');
});
