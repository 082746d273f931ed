import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { closeAll, duesOf, every, NOON, stream, take } from '../../../test/harness/detector/closing.js';
import { runs } from '../../../test/harness/runs.js';
import { decodeArrivals, encodeArrivals } from './arrivals-codec.js';
import { intervalOf } from './intervals.js';
import { type Due, newWebsiteArrivals } from './website-arrivals.js';

describe('an interval', () => {
  test('does not exist in a gap of hours in an archive that reaches the present', () => {
    const website = newWebsiteArrivals();
    const old = every(MINUTE_MS, NOON - 8 * DAY_MS, NOON - 7 * DAY_MS);
    take(website, NOON, [...old, ...every(MINUTE_MS, NOON - HOUR_MS, NOON)]);
    const closed = closeAll(website, NOON + HOUR_MS);
    expect(closed).toEqual([
      ...every(INTERVAL_MS, NOON - 8 * DAY_MS, NOON - 7 * DAY_MS),
      ...every(INTERVAL_MS, NOON - HOUR_MS, NOON),
    ]);
  });

  test.each([30, 61, 100, 119])(
    'in a gap of an archive is evaluated or not, whether or not the logs after it count as imported: until %i minutes ago',
    (minutes) => {
      const old = every(MINUTE_MS, NOON - 2 * DAY_MS, NOON - DAY_MS);
      const recent = every(MINUTE_MS, NOON - minutes * MINUTE_MS, NOON);
      const begun = intervalOf(recent[0]!);
      const closed = [0, 5, 30].map((later) => {
        const website = newWebsiteArrivals();
        take(website, NOON, [...old, ...(later === 0 ? recent : [])]);
        if (later > 0) take(website, NOON + later * MINUTE_MS, [...old.slice(-1), ...recent]);
        const dues = duesOf(website, NOON + HOUR_MS);
        expect(dues.filter(({ start, isImported }) => !isImported && start < begun)).toEqual([]);
        return dues.flatMap(({ start, end }) => every(INTERVAL_MS, start, end));
      });
      expect(closed[1]).toEqual(closed[0]);
      expect(closed[2]).toEqual(closed[0]);
      const gap = closed[0]!.filter((start) => start >= NOON - DAY_MS && start < begun);
      expect(gap).toHaveLength(minutes > 60 ? (begun - NOON + DAY_MS) / INTERVAL_MS : 0);
    },
  );

  test('closes once, in order, 90 seconds after its end, even without requests', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 80 * SECOND_MS);
    expect(website.next).toBe(NOON - INTERVAL_MS);
    expect(closeAll(website, NOON + 89 * SECOND_MS)).toEqual([]);
    expect(closeAll(website, NOON + 2 * MINUTE_MS)).toEqual([NOON - INTERVAL_MS]);
    const empty = closeAll(website, NOON + 16 * MINUTE_MS + 30 * SECOND_MS);
    expect(empty).toEqual([0, 1, 2].map((at) => NOON + at * INTERVAL_MS));
  });

  test('with late requests is not closed again, but its health is recounted for two days', () => {
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
    // No interval closes between two batches, and the next batch is evaluated as a whole.
    expect(closeAll(website, NOON + 5 * HOUR_MS + 4 * MINUTE_MS)).toEqual([]);
    expect(closeAll(website, batch(4) + MINUTE_MS)).toHaveLength(12);
    // Intervals wait for a missing batch only for the usual time.
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
      // A missing batch is a silence.
      expect(closeAll(website, NOON + 5 * DAY_MS).length).toBeGreaterThan(40);
    },
  );

  test('waits for further parts of its batch, for a bounded time', () => {
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

  test('waits two minutes for pending verdicts on crawlers, for a bounded time', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON);
    take(website, NOON + 30 * SECOND_MS, [NOON - INTERVAL_MS], true);
    expect(closeAll(website, NOON + 149 * SECOND_MS)).toEqual([]);
    expect(closeAll(website, NOON + 150 * SECOND_MS)).toEqual([NOON - INTERVAL_MS]);
    for (let at = 0; at < 20 * MINUTE_MS; at += MINUTE_MS) take(website, NOON + at, [NOON], true);
    expect(closeAll(website, NOON + 15 * MINUTE_MS)[0]).toBe(NOON);
  });

  test('with a future date from a fast clock closes at its own time', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    take(website, NOON, [NOON + 30 * MINUTE_MS]);
    expect(closeAll(website, NOON + 7 * MINUTE_MS).at(-1)).toBe(NOON);
    expect(website.punctuality.through).toBe(NOON);
  });

  test('is skipped if the detector was down for longer than arrivals are stored', () => {
    const website = newWebsiteArrivals();
    stream(website, NOON - HOUR_MS, NOON);
    closeAll(website, NOON + 5 * MINUTE_MS);
    expect(closeAll(website, NOON + 10 * DAY_MS)[0]).toBe(NOON + 8 * DAY_MS);
  });
});

/** Arrivals of one website in any order, with minutes within the last ten hours. */
const arrivals = fc.array(fc.record({ at: fc.nat(600), behind: fc.nat(300), repeats: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
});

test('an interval is closed once and in order, for any sequence of arrivals', () => {
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
      // In the end no interval is open, and no import waits.
      closed.push(...closeAll(website, NOON + 2 * DAY_MS));
      expect([website.open.size, website.imported]).toEqual([0, null]);
    }),
    { numRuns: runs(400) },
  );
});

test('arrivals behave the same after being saved and loaded', () => {
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
