import { expect, test } from 'vitest';
import { botOf, clientOf, minuteOf } from '../../../../shared/detection/signal.fixture.js';
import { decodeSignal } from '../../../../shared/detection/signal-codec.js';
import { LogUnavailableError, type NewRecord } from '../../../../shared/event-log/event-log.js';
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

test('a log that takes no signals for half a minute keeps no range waiting, nor the ones behind it, until it takes some again', async () => {
  let now = 0;
  let isAway = true;
  const appends: number[] = [];
  const dropped: string[] = [];
  const step = sendSignals({
    log: {
      async append() {
        appends.push(now);
        if (isAway) throw new LogUnavailableError('no leader');
        return [];
      },
    },
    hold: {
      requireNotLost() {},
      async requireOurs() {},
      async pause(_range, ms) {
        now += ms;
      },
    },
    attempts: { newDelay: () => () => 5_000 },
    now: () => now,
    onSignalFailure() {},
    onSignalDropped: (_error, { token }) => dropped.push(token),
  });
  const run = (token: string) =>
    step.run({ ...rangeOf([website('w', minuteOf({ requests: 1 }))]), token } as PreparedRange);
  await run('first');
  expect(now).toBe(30_000);
  await run('second');
  expect(now).toBe(30_000);
  expect(dropped).toEqual(['first', 'second']);
  isAway = false;
  await run('third');
  isAway = true;
  await run('fourth');
  expect(now).toBe(60_000);
  expect(dropped).toEqual(['first', 'second', 'fourth']);
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

test('a failure that a repeat would not mend is not repeated', async () => {
  const broken = () => {
    throw new Error('a defect');
  };
  await expect(send([website('w', full)], broken)).rejects.toThrow('a defect');
});
