import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { CLOSING_DELAY_MS, intervalOf } from './intervals.js';
import { beginClosing, dueNow, newWebsiteArrivals, takeArrival } from './website-arrivals.js';

const NOON = Date.UTC(2026, 10, 21, 12);

/** A server that sends its lines at this interval, from the start to a given time. */
interface Server {
  readonly everyMs: number;
  readonly until?: number;
}

interface Closing {
  readonly start: number;
  /** Delay after the interval's end. */
  readonly afterMs: number;
}

/**
 * Each server has a line every ten seconds.
 * @returns when each interval was closed, and the intervals that got lines afterwards
 */
function play(servers: readonly Server[], hours: number): { closings: Closing[]; late: ReadonlySet<number> } {
  const website = newWebsiteArrivals();
  const closings: Closing[] = [];
  const late = new Set<number>();
  for (let now = NOON; now <= NOON + hours * HOUR_MS; now += 10 * SECOND_MS) {
    for (const { everyMs, until = Number.POSITIVE_INFINITY } of servers) {
      if (now > until || (now - NOON) % everyMs !== 0) continue;
      const from = now - everyMs;
      const storedAt = now + SECOND_MS;
      takeArrival(website, {
        ...{ websiteId: 'w', storedAt, receivedAt: now, hasPendingClaims: false },
        oldestMinute: Math.floor(from / MINUTE_MS) * MINUTE_MS,
        newestMinute: Math.floor((now - 1) / MINUTE_MS) * MINUTE_MS,
        intervals: Array.from(
          { length: (intervalOf(now - 1) - intervalOf(from)) / INTERVAL_MS + 1 },
          (_, at) => intervalOf(from) + at * INTERVAL_MS,
        ),
      });
      for (const start of website.changed) late.add(start);
      website.changed.clear();
    }
    const through = now + SECOND_MS;
    for (let due = dueNow(website, through, 1); due !== null; due = dueNow(website, through, 1)) {
      beginClosing(website, due);
      closings.push({ start: due.start, afterMs: through - due.end });
    }
  }
  return { closings, late };
}

const FAST = { everyMs: 10 * SECOND_MS };
/** After these hours the server's interval is learned. */
const LEARNED = NOON + 4 * HOUR_MS;

describe('a server that sends less often than another one', () => {
  test.each([10, 20, 30, 60])('every %i minutes delays closing after some hours', (minutes) => {
    const { closings, late } = play([FAST, { everyMs: minutes * MINUTE_MS }], 9);
    expect([...late].filter((start) => start >= LEARNED)).toEqual([]);
    const known = closings.filter(({ start }) => start >= LEARNED);
    expect(known.length).toBeGreaterThan(36);
    for (const { afterMs } of known) expect(afterMs).toBeLessThan(minutes * MINUTE_MS + CLOSING_DELAY_MS);
  });

  test('every ten minutes and one every twenty minutes both delay closing', () => {
    const servers = [FAST, { everyMs: 10 * MINUTE_MS }, { everyMs: 20 * MINUTE_MS }];
    const { late } = play(servers, 8);
    expect([...late].filter((start) => start >= LEARNED)).toEqual([]);
  });

  test('delays closing for at most a day after it has stopped', () => {
    const until = NOON + 6 * HOUR_MS;
    const { closings } = play([FAST, { everyMs: 20 * MINUTE_MS, until }], 32);
    const delaysFrom = (from: number) =>
      closings.filter(({ start }) => start >= from).map(({ afterMs }) => afterMs);
    expect(delaysFrom(until + HOUR_MS)[0]).toBeGreaterThan(10 * MINUTE_MS);
    expect(Math.max(...delaysFrom(NOON + 29 * HOUR_MS))).toBeLessThanOrEqual(100 * SECOND_MS);
  });

  test('every three hours does not delay closing', () => {
    const { closings } = play([FAST, { everyMs: 3 * HOUR_MS }], 36);
    // On the first day, requests that are over two hours old restart the website.
    const known = closings.filter(({ start }) => start >= NOON + 26 * HOUR_MS);
    expect(Math.max(...known.map(({ afterMs }) => afterMs))).toBeLessThan(LONGEST);
  });
});

/**
 * With a timely server: {@link CLOSING_DELAY_MS}, and the time until the parts of a late batch have arrived.
 */
const LONGEST = 15 * MINUTE_MS;

test.each([10, 60])(
  'intervals of one server that sends every %i seconds close after 90 seconds',
  (seconds) => {
    const { closings, late } = play([{ everyMs: seconds * SECOND_MS }], 12);
    expect(late.size).toBe(0);
    expect(closings.length).toBeGreaterThan(100);
    for (const { afterMs } of closings)
      expect(afterMs).toBeLessThanOrEqual(CLOSING_DELAY_MS + 10 * SECOND_MS);
  },
);
