import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { runs } from '../../../test/harness/runs.js';

import { decodeArrivals, encodeArrivals } from './arrivals-codec.js';
import { intervalOf } from './intervals.js';
import {
  beginAnew,
  beginClosing,
  type Due,
  dueNow,
  newWebsiteArrivals,
  takeArrival,
  type WebsiteArrivals,
} from './website-arrivals.js';

const NOON = Date.UTC(2026, 10, 21, 12);

/** What is stored and received at a time, of these minutes. */
function take(
  website: WebsiteArrivals,
  storedAt: number,
  minutes: readonly number[],
  hasPendingClaims = false,
): void {
  const sorted = [...minutes].sort((a, b) => a - b);
  takeArrival(website, {
    ...{ websiteId: 'w', storedAt, receivedAt: storedAt, hasPendingClaims },
    ...{ oldestMinute: sorted[0]!, newestMinute: sorted.at(-1)! },
    intervals: [...new Set(sorted.map(intervalOf))],
  });
}

const every = (stepMs: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, at) => from + at * stepMs);

/** A request a minute, each stored half a minute after its minute's end. */
function stream(website: WebsiteArrivals, from: number, to: number): void {
  for (const minute of every(MINUTE_MS, from, to)) take(website, minute + 90 * SECOND_MS, [minute]);
}

/** Beginnings of what is closed. */
function closeAll(website: WebsiteArrivals, through: number, most = 48): number[] {
  return duesOf(website, through, most).flatMap(({ start, end }) => every(INTERVAL_MS, start, end));
}

function duesOf(website: WebsiteArrivals, through: number, most = 48): Due[] {
  const all: Due[] = [];
  beginAnew(website, through);
  for (let due = dueNow(website, through, most); due !== null; due = dueNow(website, through, most)) {
    beginClosing(website, due);
    all.push(due);
  }
  return all;
}

describe('an interval', () => {
  test('is none in a hole of hours in an archive that reaches the present', () => {
    const website = newWebsiteArrivals();
    const old = every(MINUTE_MS, NOON - 8 * DAY_MS, NOON - 7 * DAY_MS);
    take(website, NOON, [...old, ...every(MINUTE_MS, NOON - HOUR_MS, NOON)]);
    const closed = closeAll(website, NOON + HOUR_MS);
    expect(closed).toEqual([
      ...every(INTERVAL_MS, NOON - 8 * DAY_MS, NOON - 7 * DAY_MS),
      ...every(INTERVAL_MS, NOON - HOUR_MS, NOON),
    ]);
  });

  test('closes once, in order, 90 seconds after its end, also without requests', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 80 * SECOND_MS);
    expect(website.next).toBe(NOON - INTERVAL_MS);
    expect(closeAll(website, NOON + 89 * SECOND_MS)).toEqual([]);
    expect(closeAll(website, NOON + 2 * MINUTE_MS)).toEqual([NOON - INTERVAL_MS]);
    const empty = closeAll(website, NOON + 16 * MINUTE_MS + 30 * SECOND_MS);
    expect(empty).toEqual([0, 1, 2].map((at) => NOON + at * INTERVAL_MS));
  });

  test('with late requests is not closed again, but its health is counted again, for two days', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - 3 * DAY_MS, NOON);
    closeAll(website, NOON + 5 * MINUTE_MS);
    website.changed.clear();
    const { next } = website;
    take(website, NOON, [NOON - DAY_MS, NOON - 2 * DAY_MS - INTERVAL_MS]);
    expect([...website.changed]).toEqual([NOON - DAY_MS]);
    expect(website.next).toBe(next);
  });

  test('of a website that delivers by the hour waits for its batch', () => {
    const website = newWebsiteArrivals();
    const batch = (hour: number) => {
      const start = NOON + hour * HOUR_MS;
      take(website, start + 65 * MINUTE_MS, every(MINUTE_MS, start, start + HOUR_MS));
      return start + 65 * MINUTE_MS;
    };
    for (const hour of [0, 1, 2, 3]) expect(closeAll(website, batch(hour) + MINUTE_MS)).toHaveLength(12);
    expect(website.next).toBe(NOON + 4 * HOUR_MS);
    // Nothing is closed between two batches, and the next one is judged whole.
    expect(closeAll(website, NOON + 5 * HOUR_MS + 4 * MINUTE_MS)).toEqual([]);
    expect(closeAll(website, batch(4) + MINUTE_MS)).toHaveLength(12);
    // A batch that does not come is waited for no longer than is usual.
    expect(closeAll(website, NOON + 6 * HOUR_MS + 5 * MINUTE_MS)).toEqual([]);
    expect(closeAll(website, NOON + 8 * HOUR_MS).length).toBeGreaterThan(12);
  });

  test.each([
    [1, 1],
    [1, 24],
    [3, 1],
    [3, 96],
    [6, 4],
  ])(
    'of a website that delivers by the day, %i hours later in %i parts, waits for its batch and is evaluated with it',
    (hours, parts) => {
      const website = newWebsiteArrivals();
      const partMs = DAY_MS / parts;
      const batch = (day: number) => {
        const begin = NOON + (day + 1) * DAY_MS + hours * HOUR_MS;
        for (let part = 0; part < parts; part += 1) {
          const from = NOON + day * DAY_MS + part * partMs;
          take(website, begin + part * SECOND_MS, every(MINUTE_MS, from, from + partMs));
        }
        return begin + parts * SECOND_MS;
      };
      for (const day of [0, 1, 2]) {
        const storedAt = batch(day);
        expect(closeAll(website, storedAt)).toEqual([]);
        expect(closeAll(website, storedAt + 3 * MINUTE_MS)).toHaveLength(288);
        expect(closeAll(website, NOON + (day + 2) * DAY_MS + hours * HOUR_MS - MINUTE_MS)).toEqual([]);
      }
      // One that does not come is a silence.
      expect(closeAll(website, NOON + 5 * DAY_MS).length).toBeGreaterThan(40);
    },
  );

  test('waits for further parts of its batch, but not forever', () => {
    const website = newWebsiteArrivals();
    const minute = NOON - HOUR_MS;
    take(website, NOON, [minute]);
    expect(closeAll(website, NOON + 20 * SECOND_MS)).toEqual([]);
    take(website, NOON + 20 * SECOND_MS, [minute]);
    expect(closeAll(website, NOON + 40 * SECOND_MS)).toEqual([]);
    expect(closeAll(website, NOON + 50 * SECOND_MS)).toEqual([minute]);

    const trickling = newWebsiteArrivals();
    for (let at = 0; at < 10 * MINUTE_MS; at += 10 * SECOND_MS) {
      take(trickling, NOON + at, [minute]);
      expect(closeAll(trickling, NOON + at)).toEqual([]);
    }
    expect(closeAll(trickling, NOON + 10 * MINUTE_MS)).toEqual([minute]);
  });

  test('waits two minutes for the verdicts on crawlers that are still being looked up, but not forever', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON);
    take(website, NOON + 30 * SECOND_MS, [NOON - INTERVAL_MS], true);
    expect(closeAll(website, NOON + 149 * SECOND_MS)).toEqual([]);
    expect(closeAll(website, NOON + 150 * SECOND_MS)).toEqual([NOON - INTERVAL_MS]);
    for (let at = 0; at < 20 * MINUTE_MS; at += MINUTE_MS) take(website, NOON + at, [NOON], true);
    expect(closeAll(website, NOON + 15 * MINUTE_MS)[0]).toBe(NOON);
  });

  test('that a fast clock dates ahead closes at its own time', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    take(website, NOON, [NOON + 30 * MINUTE_MS]);
    expect(closeAll(website, NOON + 7 * MINUTE_MS).at(-1)).toBe(NOON);
    expect(website.punctuality.through).toBe(NOON);
  });

  test('is skipped where the detector was down for longer than arrivals are kept', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 5 * MINUTE_MS);
    expect(closeAll(website, NOON + 10 * DAY_MS)[0]).toBe(NOON + 8 * DAY_MS);
  });
});

describe('an import', () => {
  const WEEK = every(INTERVAL_MS, NOON - 7 * DAY_MS, NOON);

  test('is evaluated as a whole, from its first interval on, when no more has arrived for two minutes', () => {
    const website = newWebsiteArrivals();
    // The days come in any order.
    for (const [at, day] of [3, 7, 1, 6, 2, 5, 4].entries()) {
      const storedAt = NOON + 3 * HOUR_MS + at * 110 * SECOND_MS;
      expect(closeAll(website, storedAt)).toEqual([]);
      take(website, storedAt, every(INTERVAL_MS, NOON - day * DAY_MS, NOON - (day - 1) * DAY_MS));
    }
    const newestAt = NOON + 3 * HOUR_MS + 6 * 110 * SECOND_MS;
    expect(closeAll(website, newestAt + 119 * SECOND_MS)).toEqual([]);
    const dues = duesOf(website, newestAt + 2 * MINUTE_MS);
    expect(dues.flatMap(({ start, end }) => every(INTERVAL_MS, start, end))).toEqual(WEEK);
    expect(dues.every(({ isImported, start, end }) => isImported && end - start <= 48 * INTERVAL_MS)).toBe(
      true,
    );
    expect(website.changed.size).toBe(0);
  });

  test.each([5, 10])(
    'whose parts come with pauses of %i minutes, older ones first, is closed whole',
    (pause) => {
      const website = newWebsiteArrivals();
      const closed: number[] = [];
      let storedAt = NOON + 3 * HOUR_MS;
      for (let day = 7; day > 0; day -= 1) {
        take(website, storedAt, every(INTERVAL_MS, NOON - day * DAY_MS, NOON - (day - 1) * DAY_MS));
        for (const minute of every(MINUTE_MS, storedAt, storedAt + pause * MINUTE_MS))
          closed.push(...closeAll(website, minute));
        storedAt += pause * MINUTE_MS;
      }
      expect(closed).toEqual(WEEK);
      expect(website.changed.size).toBe(0);
    },
  );

  test('that does not pause is evaluated after two hours', () => {
    const website = newWebsiteArrivals();
    for (const minute of every(MINUTE_MS, NOON, NOON + 2 * HOUR_MS)) {
      take(website, minute, [NOON - DAY_MS]);
      expect(closeAll(website, minute)).toEqual([]);
    }
    expect(closeAll(website, NOON + 2 * HOUR_MS)).toEqual([NOON - DAY_MS]);
  });

  test.each([
    ['whole', [0, WEEK.length]],
    ['line by line', [0, ...every(1, 1, WEEK.length + 1)]],
  ])('that arrived %s and ends now is evaluated to its end, and no silence begins after it', (_, cuts) => {
    const website = newWebsiteArrivals();
    for (const [index, end] of cuts.slice(1).entries())
      take(website, NOON + index, WEEK.slice(cuts[index], end));
    expect(closeAll(website, NOON + 10 * MINUTE_MS)).toEqual(WEEK);
    for (const hours of [1, 3, 13, 50, 300]) expect(closeAll(website, NOON + hours * HOUR_MS)).toEqual([]);
  });

  test('with a second part that is older than two days and arrives a day later is evaluated completely', () => {
    const website = newWebsiteArrivals();
    take(website, NOON, every(INTERVAL_MS, NOON - 14 * DAY_MS, NOON - 7 * DAY_MS));
    closeAll(website, NOON + HOUR_MS);
    closeAll(website, NOON + DAY_MS);
    take(website, NOON + DAY_MS, WEEK);
    expect(closeAll(website, NOON + DAY_MS + HOUR_MS)).toEqual(WEEK);
  });

  test.each([20 * MINUTE_MS, 5 * HOUR_MS, 3 * DAY_MS])(
    'is followed by logs as they are made, %i ms later, without a silence between them',
    (laterMs) => {
      const website = newWebsiteArrivals();
      take(website, NOON, WEEK);
      expect(closeAll(website, NOON + 5 * MINUTE_MS)).toHaveLength(WEEK.length);
      const begin = NOON + laterMs;
      const closed: number[] = [];
      for (const minute of every(MINUTE_MS, begin, begin + HOUR_MS)) {
        take(website, minute + 90 * SECOND_MS, [minute]);
        // Another server's logs begin with the minute before.
        if (minute < begin + 3 * MINUTE_MS) take(website, minute + 95 * SECOND_MS, [minute - INTERVAL_MS]);
        closed.push(...closeAll(website, minute + 100 * SECOND_MS));
      }
      expect(closed[0]).toBe(begin - INTERVAL_MS);
      expect(closed).toEqual(
        every(INTERVAL_MS, begin - INTERVAL_MS, begin - INTERVAL_MS + closed.length * INTERVAL_MS),
      );
      expect(closed.length).toBeGreaterThan(10);
      expect(website.changed.size).toBe(0);
    },
  );

  test.each([10, 90, 400])(
    'that ended %i minutes before is not followed by a silence where it arrives with the first live line, before or after it',
    (minutes) => {
      const archive = every(INTERVAL_MS, NOON - DAY_MS, NOON - minutes * MINUTE_MS);
      const expected = [...archive, ...every(INTERVAL_MS, NOON, NOON + 30 * MINUTE_MS)];
      const alike = [
        [[...archive, NOON]],
        [archive, [NOON]],
        [[NOON], archive],
        [[NOON], archive.slice(100), archive.slice(0, 100)],
      ];
      for (const parts of alike) {
        const website = newWebsiteArrivals();
        for (const [index, minutesOfPart] of parts.entries())
          take(website, NOON + (2 + index) * SECOND_MS, minutesOfPart);
        stream(website, NOON + MINUTE_MS, NOON + 30 * MINUTE_MS);
        expect(closeAll(website, NOON + 32 * MINUTE_MS)).toEqual(expected);
      }
    },
  );

  test('that makes the website begin anew is not followed by a silence until the first live logs', () => {
    const website = newWebsiteArrivals();
    const archive = every(INTERVAL_MS, NOON - DAY_MS, NOON - HOUR_MS);
    stream(website, NOON, NOON + 5 * HOUR_MS);
    closeAll(website, NOON + 5 * HOUR_MS + 2 * MINUTE_MS);
    take(website, NOON + 5 * HOUR_MS, archive);
    expect(closeAll(website, NOON + 5 * HOUR_MS + 3 * MINUTE_MS)).toEqual([
      ...archive,
      ...every(INTERVAL_MS, NOON, NOON + 5 * HOUR_MS),
    ]);
  });

  test('that arrives after live intervals were closed makes the website begin anew, for a day', () => {
    const website = newWebsiteArrivals();
    const archive = every(INTERVAL_MS, NOON - 2 * DAY_MS, NOON - 6 * HOUR_MS);
    const live = (from: number, to: number) => every(INTERVAL_MS, NOON + from * HOUR_MS, NOON + to * HOUR_MS);
    stream(website, NOON, NOON + HOUR_MS);
    expect(closeAll(website, NOON + HOUR_MS + 2 * MINUTE_MS)).toEqual(live(0, 1));
    take(website, NOON + HOUR_MS + 2 * MINUTE_MS, archive);
    // Live logs do not wait for it.
    stream(website, NOON + HOUR_MS, NOON + 2 * HOUR_MS);
    expect(duesOf(website, NOON + HOUR_MS + 3 * MINUTE_MS)).toEqual([]);
    const dues = duesOf(website, NOON + 2 * HOUR_MS + 2 * MINUTE_MS);
    const inDues = (imported: boolean) =>
      dues
        .filter(({ isImported }) => isImported === imported)
        .flatMap(({ start, end }) => every(INTERVAL_MS, start, end));
    expect([inDues(true), inDues(false)]).toEqual([archive, live(0, 2)]);
    expect([website.renewal, website.changed.size]).toEqual([null, 0]);
    // Read again, it changes nothing but the health, and so does what comes after a day.
    take(website, NOON + HOUR_MS + 2 * MINUTE_MS, archive);
    take(website, NOON + DAY_MS + 2 * MINUTE_MS, [NOON]);
    expect([website.imported, website.changed.has(NOON)]).toEqual([null, true]);
  });

  test('whose parts often pause makes the website begin anew less and less often', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON, NOON + HOUR_MS);
    closeAll(website, NOON + HOUR_MS + 2 * MINUTE_MS);
    for (const at of every(150 * SECOND_MS, NOON + 2 * HOUR_MS, NOON + 8 * HOUR_MS)) {
      take(website, at, [NOON - DAY_MS]);
      closeAll(website, at + 149 * SECOND_MS);
    }
    expect(website.renewals).toBeGreaterThan(1);
    expect(website.renewals).toBeLessThan(6);
  });

  test('that arrives after live logs is evaluated before them', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON, NOON + 4 * MINUTE_MS);
    take(website, NOON + 5 * MINUTE_MS, every(INTERVAL_MS, NOON - 7 * DAY_MS, NOON - 6 * HOUR_MS));
    stream(website, NOON + 4 * MINUTE_MS, NOON + 10 * MINUTE_MS);
    const dues = duesOf(website, NOON + 12 * MINUTE_MS, Number.POSITIVE_INFINITY);
    expect(dues).toEqual([
      { start: NOON - 7 * DAY_MS, end: NOON - 6 * HOUR_MS, isImported: true },
      { start: NOON, end: NOON + 10 * MINUTE_MS, isImported: false },
    ]);
  });
});

/** Arrivals of one website in any order, of minutes within the last ten hours. */
const arrivals = fc.array(fc.record({ at: fc.nat(600), behind: fc.nat(300), repeats: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
});

test('an interval is closed once, in order, whatever comes when', () => {
  fc.assert(
    fc.property(arrivals, (given) => {
      const website = newWebsiteArrivals();
      website.punctuality.since = NOON - DAY_MS;
      const closed: number[] = [];
      for (const { at, behind, repeats } of [...given].sort((a, b) => a.at - b.at)) {
        const storedAt = NOON + at * MINUTE_MS;
        for (let times = repeats ? 2 : 1; times > 0; times -= 1)
          take(website, storedAt, [storedAt - behind * MINUTE_MS]);
        closed.push(...closeAll(website, storedAt, 7));
      }
      expect(closed).toEqual([...new Set(closed)].sort((a, b) => a - b));
      // Everything is closed, or comes late for what is.
      closed.push(...closeAll(website, NOON + 2 * DAY_MS));
      expect([website.open.size, website.imported]).toEqual([0, null]);
    }),
    { numRuns: runs(400) },
  );
});

test('arrivals that are saved and loaded go on as before', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(30), (given, cut) => {
      let one = newWebsiteArrivals();
      const other = newWebsiteArrivals();
      const closed: [Due[], Due[]] = [[], []];
      for (const [index, { at, behind }] of given.entries()) {
        if (index === cut) one = decodeArrivals(encodeArrivals(one));
        for (const [which, website] of [one, other].entries()) {
          const storedAt = NOON + at * MINUTE_MS;
          take(website, storedAt, [storedAt - behind * MINUTE_MS]);
          closed[which]!.push(...duesOf(website, storedAt));
        }
      }
      expect(closed[0]).toEqual(closed[1]);
      expect(decodeArrivals(encodeArrivals(one))).toEqual(decodeArrivals(encodeArrivals(other)));
    }),
    { numRuns: runs(100) },
  );
  expect(() => decodeArrivals('{"version": 2}')).toThrow();
});
