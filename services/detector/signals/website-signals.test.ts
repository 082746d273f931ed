import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyMinute } from '../../../shared/detection/fold-signals.js';
import { MAX_CLIENTS, type MinuteSignal, type Signal } from '../../../shared/detection/signal.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { clientOf, minuteOf } from '../../../test/harness/detector/signal.js';
import { runs } from '../../../test/harness/runs.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import type { ClosedInterval } from '../evaluate-website.js';
import { intervalOf, keptFields } from './intervals.js';
import { decodeSignals, encodeSignals } from './signals-codec.js';
import {
  closeFilled,
  closeNext,
  countsOf,
  newWebsiteSignals,
  takeSignal,
  type WebsiteSignals,
} from './website-signals.js';

const NOON = Date.UTC(2026, 10, 21, 12);

let tokens = 0;
function signal(storedAt: number, minutes: Partial<MinuteSignal>[], token?: string): Signal {
  tokens += 1;
  return {
    token: token ?? `requests.raw/0/${tokens}-${tokens}/mark`,
    websiteId: 'w',
    storedAt,
    minutes: minutes.map((given) => minuteOf({ requests: 1, people: 1, ...given })),
  };
}

/** A request a minute, each told half a minute after its minute's end. */
function stream(website: WebsiteSignals, from: number, to: number): void {
  for (let minute = from; minute < to; minute += MINUTE_MS)
    takeSignal(website, signal(minute + 90 * SECOND_MS, [{ minute }]));
}

function closeAll(website: WebsiteSignals, through: number): ClosedInterval[] {
  const all: ClosedInterval[] = [];
  for (let one = closeNext(website, through); one !== null; one = closeNext(website, through)) all.push(one);
  return all;
}

test('an interval keeps whoever comes with each signal while it is filled, and fewer addresses when it is over', () => {
  const website = newWebsiteSignals();
  const steady = '203.0.113.1';
  for (let second = 0; second < 60; second += 1) {
    const crowd = Array.from({ length: 100 }, (_, i) => clientOf({ ip: `10.0.${second}.${i}` }));
    const byClient = [...crowd, clientOf({ ip: steady })];
    takeSignal(website, signal(NOON + second * SECOND_MS, [{ minute: NOON, requests: 101, byClient }]));
  }
  const [{ counts }] = closeAll(website, NOON + HOUR_MS) as [ClosedInterval];
  expect(counts.requests).toBe(60 * 101);
  expect(counts.byClient).toHaveLength(MAX_CLIENTS);
  expect(counts.byClient[0]).toMatchObject({ ip: steady, requests: 60 });
});

test.each([
  ['whole where they are light', 10, 120],
  ['with shorter ones where they are heavy', 20, MAX_CLIENTS],
  ['without any where even those are heavy', 120, 0],
])('lists of open intervals are saved %s', (_, intervals, saved) => {
  const website = newWebsiteSignals();
  const byClient = Array.from({ length: 120 }, (_entry, i) =>
    clientOf({ ip: `10.0.0.${i}`, sampleUserAgent: 'u'.repeat(200) }),
  );
  for (let at = 0; at < intervals; at += 1)
    takeSignal(website, signal(NOON, [{ minute: NOON - at * INTERVAL_MS, byClient }]));
  const { open } = decodeSignals(encodeSignals(website));
  expect([...open.values()].map(({ counts }) => counts.byClient.length)).toEqual(
    Array(intervals).fill(saved),
  );
});

describe('counts', () => {
  /** Up to 20 signals of an hour, of two partitions, in the order in which they are told; some are told again. */
  const told = fc
    .array(
      fc.record({
        partition: fc.nat(1),
        minutes: fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 8 }),
        requests: fc.integer({ min: 1, max: 1_000 }),
        status5xx: fc.nat(1_000),
      }),
      { minLength: 1, maxLength: 20 },
    )
    .chain((signals) =>
      fc.tuple(
        fc.constant(signals),
        fc.shuffledSubarray([...signals.keys()], { minLength: signals.length }),
        fc.array(fc.nat(signals.length - 1), { maxLength: 20 }),
        fc.array(fc.nat(39), { maxLength: 5 }),
      ),
    );

  test('are the same in any order and with any repetition of signals, whenever intervals are closed between them', () => {
    fc.assert(
      fc.property(told, ([signals, order, repeated, closings]) => {
        const website = newWebsiteSignals();
        const whole = [...order, ...repeated].map((index) => {
          const { partition, minutes, requests, status5xx } = signals[index]!;
          const parts = minutes.map((at) => ({ minute: NOON + at * MINUTE_MS, requests, status5xx }));
          return signal(NOON + HOUR_MS, parts, `requests.raw/${partition}/${index}-${index}/mark`);
        });
        for (const [at, one] of whole.entries()) {
          takeSignal(website, one);
          if (closings.includes(at)) closeAll(website, NOON + 45 * MINUTE_MS + at * MINUTE_MS);
        }
        closeAll(website, NOON + DAY_MS);

        const wanted = new Map<number, number[]>();
        for (const { minutes, requests, status5xx } of signals)
          for (const at of minutes) {
            const start = intervalOf(NOON + at * MINUTE_MS);
            const [sum, errors] = wanted.get(start) ?? [0, 0];
            wanted.set(start, [sum! + requests, errors! + status5xx]);
          }
        for (const [start, [requests, status5xx]] of wanted)
          expect(countsOf(website, start)).toMatchObject({ requests, status5xx });
      }),
      { numRuns: runs(200) },
    );
  });

  test('of an interval hold all of its minutes, and what is kept of it is their sum', () => {
    const website = newWebsiteSignals();
    takeSignal(
      website,
      signal(NOON, [{ minute: NOON - 4 * MINUTE_MS, byClient: [clientOf({ ip: '192.0.2.9' })] }]),
    );
    takeSignal(
      website,
      signal(NOON, [{ minute: NOON - 5 * MINUTE_MS, requests: 4, timed: 2, timeTakenMs: 80 }]),
    );
    const [closed] = closeAll(website, NOON + 5 * MINUTE_MS);
    expect(closed).toMatchObject({
      start: NOON - INTERVAL_MS,
      end: NOON,
      counts: { minute: NOON - INTERVAL_MS, requests: 5 },
    });
    expect(closed!.counts.byClient.map(({ ip }) => ip)).toEqual(['192.0.2.9']);
    expect(countsOf(website, closed!.start)).toEqual({
      ...Object.fromEntries(keptFields.map((field) => [field, 0])),
      requests: 5,
      timed: 2,
      timeTakenMs: 80,
    });
  });

  test('of a closed interval take what comes late, two days back and no further, and are then to be told again', () => {
    const website = newWebsiteSignals();
    stream(website, NOON - 3 * DAY_MS, NOON);
    closeAll(website, NOON + 5 * MINUTE_MS);
    website.changed.clear();
    const late = intervalOf(NOON - DAY_MS);
    expect(takeSignal(website, signal(NOON, [{ minute: late, requests: 7 }]))).toEqual({ ignored: 0 });
    expect(countsOf(website, late)?.requests).toBe(12);
    expect([...website.changed]).toEqual([late]);
    expect(takeSignal(website, signal(NOON, [{ minute: NOON - 2 * DAY_MS - INTERVAL_MS }]))).toEqual({
      ignored: 1,
    });
  });

  test('leave out what a fast clock dates far ahead', () => {
    const website = newWebsiteSignals();
    expect(takeSignal(website, signal(NOON, [{ minute: NOON + 2 * HOUR_MS }]))).toEqual({ ignored: 1 });
    expect(closeNext(website, NOON + DAY_MS)).toBeNull();
  });

  test('of closed intervals are forgotten after two days', () => {
    const website = newWebsiteSignals();
    stream(website, NOON, NOON + 5 * DAY_MS);
    closeAll(website, NOON + 5 * DAY_MS);
    expect(website.closed.size).toBeLessThanOrEqual((2 * DAY_MS) / INTERVAL_MS + 2);
    expect(website.open.size).toBeLessThanOrEqual(1);
  });
});

describe('an interval', () => {
  test('closes 90 seconds after its end, also without requests, in order', () => {
    const website = newWebsiteSignals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 80 * SECOND_MS);
    expect(website.next).toBe(NOON - INTERVAL_MS);
    expect(closeNext(website, NOON + 89 * SECOND_MS)).toBeNull();
    expect(closeAll(website, NOON + 2 * MINUTE_MS).map(({ start }) => start)).toEqual([NOON - INTERVAL_MS]);
    const empty = closeAll(website, NOON + 16 * MINUTE_MS + 30 * SECOND_MS);
    expect(empty.map(({ start, counts }) => [start, counts])).toEqual(
      [0, 1, 2].map((at) => [NOON + at * INTERVAL_MS, emptyMinute(NOON + at * INTERVAL_MS)]),
    );
  });

  test('of a website that delivers by the hour waits for its batch', () => {
    const website = newWebsiteSignals();
    const batch = (hour: number) => {
      const start = NOON + hour * HOUR_MS;
      const minutes = Array.from({ length: 60 }, (_, at) => ({ minute: start + at * MINUTE_MS }));
      takeSignal(website, signal(start + 65 * MINUTE_MS, minutes));
      return start + 65 * MINUTE_MS;
    };
    for (const hour of [0, 1, 2, 3]) closeAll(website, batch(hour) + MINUTE_MS);
    expect(website.next).toBe(NOON + 4 * HOUR_MS);
    // Nothing is closed between two batches, and the next one is judged whole.
    expect(closeAll(website, NOON + 5 * HOUR_MS + 4 * MINUTE_MS)).toEqual([]);
    const judged = closeAll(website, batch(4) + MINUTE_MS);
    expect(judged).toHaveLength(12);
    expect(judged.every(({ counts, isDelivered }) => counts.requests === 5 && isDelivered)).toBe(true);
    // A batch that does not come is waited for no longer than is usual.
    const missing = closeAll(website, NOON + 8 * HOUR_MS);
    expect(missing.length).toBeGreaterThan(12);
    expect(missing.some(({ isDelivered }) => isDelivered)).toBe(false);
  });

  test('waits for the parts of its batch that still come, but not for ever', () => {
    const website = newWebsiteSignals();
    const minute = NOON - 3 * HOUR_MS;
    takeSignal(website, signal(NOON, [{ minute }, { minute: minute + HOUR_MS }]));
    expect(closeNext(website, NOON + 20 * SECOND_MS)).toBeNull();
    takeSignal(website, signal(NOON + 20 * SECOND_MS, [{ minute, requests: 4 }]));
    expect(closeNext(website, NOON + 40 * SECOND_MS)).toBeNull();
    expect(closeNext(website, NOON + 50 * SECOND_MS)?.counts.requests).toBe(5);

    const trickling = newWebsiteSignals();
    takeSignal(trickling, signal(NOON, [{ minute }, { minute: minute + HOUR_MS }]));
    for (let at = 0; at < 10 * MINUTE_MS; at += 10 * SECOND_MS) {
      expect(closeNext(trickling, NOON + at)).toBeNull();
      takeSignal(trickling, signal(NOON + at, [{ minute }]));
    }
    expect(closeNext(trickling, NOON + 10 * MINUTE_MS)?.counts.requests).toBe(61);
  });

  test('of a week that a new website sends at once is closed with all the others, from the first day on', () => {
    const website = newWebsiteSignals();
    for (let day = 7; day > 0; day -= 1)
      takeSignal(website, signal(NOON + (7 - day) * SECOND_MS, [{ minute: NOON - day * DAY_MS }]));
    const closed = closeAll(website, NOON + HOUR_MS);
    expect(closed[0]!.start).toBe(NOON - 7 * DAY_MS);
    expect(closed.filter(({ counts }) => counts.requests > 0)).toHaveLength(7);
  });

  test('of a week that takes longer to send than its first days to close is closed whole, also where sending pauses', () => {
    const website = newWebsiteSignals();
    const closed: ClosedInterval[] = [];
    for (let day = 7; day > 0; day -= 1) {
      const storedAt = NOON + (7 - day) * 2 * MINUTE_MS;
      takeSignal(website, signal(storedAt, [{ minute: NOON - day * DAY_MS }]));
      closed.push(...closeAll(website, storedAt + MINUTE_MS));
    }
    closed.push(...closeAll(website, NOON + HOUR_MS));
    const filled = closed.filter(({ counts }) => counts.requests > 0);
    expect(filled.map(({ start }) => start)).toEqual([7, 6, 5, 4, 3, 2, 1].map((day) => NOON - day * DAY_MS));
  });

  test('is not waited for where memory is short', () => {
    const website = newWebsiteSignals();
    takeSignal(website, signal(NOON, [{ minute: NOON - HOUR_MS }]));
    expect(closeNext(website, NOON)).toBeNull();
    expect(closeFilled(website, NOON)?.counts.requests).toBe(1);
  });

  test('that is empty is not closed where memory is short, but passed over before one that has requests', () => {
    const website = newWebsiteSignals();
    takeSignal(website, signal(NOON, [{ minute: NOON - HOUR_MS }]));
    closeFilled(website, NOON);
    expect(closeFilled(website, NOON + HOUR_MS)).toBeNull();
    expect(website.next).toBe(NOON - HOUR_MS + INTERVAL_MS);
    takeSignal(website, signal(NOON + MINUTE_MS, [{ minute: NOON - INTERVAL_MS }]));
    expect(closeFilled(website, NOON)).toBeNull();
    expect(closeFilled(website, NOON + 2 * MINUTE_MS)?.start).toBe(NOON - INTERVAL_MS);
    expect(website.next).toBe(NOON);
  });

  test('is stepped over where the detector was away for longer than the log keeps signals', () => {
    const website = newWebsiteSignals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 5 * MINUTE_MS);
    const [first] = closeAll(website, NOON + 10 * DAY_MS);
    expect(first!.start).toBe(NOON + 8 * DAY_MS);
  });
});

describe('delivery', () => {
  test('is known where later requests came, and not where none did', () => {
    const website = newWebsiteSignals();
    stream(website, NOON - 6 * HOUR_MS, NOON);
    expect(closeAll(website, NOON + 2 * MINUTE_MS).at(-1)).toMatchObject({
      start: NOON - INTERVAL_MS,
      isDelivered: true,
    });
    expect(closeAll(website, NOON + 12 * MINUTE_MS).map(({ isDelivered }) => isDelivered)).toEqual([
      false,
      false,
    ]);
  });

  test('of a website with few visitors does not end with each of its pauses', () => {
    const website = newWebsiteSignals();
    for (let minute = NOON - DAY_MS; minute < NOON; minute += 20 * MINUTE_MS)
      takeSignal(website, signal(minute + 90 * SECOND_MS, [{ minute }]));
    const last = closeAll(website, NOON + HOUR_MS).filter(({ end }) => end > NOON - 20 * MINUTE_MS);
    expect(last.map(({ isDelivered }) => isDelivered)).toEqual([
      ...Array.from({ length: 4 }, () => true),
      ...Array.from({ length: last.length - 4 }, () => false),
    ]);
  });

  test('is not made believe by a fast clock', () => {
    const website = newWebsiteSignals();
    stream(website, NOON - HOUR_MS, NOON);
    takeSignal(website, signal(NOON, [{ minute: NOON + 30 * MINUTE_MS }]));
    expect(closeAll(website, NOON + 7 * MINUTE_MS).at(-1)).toMatchObject({ start: NOON, isDelivered: false });
  });
});

test('what is kept as text goes on as if it had never been written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(600), { minLength: 1, maxLength: 30 }), fc.nat(30), (offsets, cut) => {
      const signals = offsets.map((at, index) =>
        signal(NOON + at * MINUTE_MS, [
          { minute: NOON + Math.floor(at * 0.7) * MINUTE_MS, requests: index + 1 },
        ]),
      );
      let one = newWebsiteSignals();
      const other = newWebsiteSignals();
      const closed: [ClosedInterval[], ClosedInterval[]] = [[], []];
      for (const [index, each] of signals.entries()) {
        if (index === cut) one = decodeSignals(encodeSignals(one));
        for (const [at, website] of [one, other].entries()) {
          takeSignal(website, each);
          closed[at]!.push(...closeAll(website, each.storedAt));
        }
      }
      expect(closed[0]).toEqual(closed[1]);
      expect(encodeSignals(one)).toBe(encodeSignals(other));
      expect(encodeSignals(one)).not.toContain('\n');
    }),
    { numRuns: runs(100) },
  );
  expect(() => decodeSignals('{"version": 2}')).toThrow();
});
