import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { closeAll, duesOf, every, NOON, stream, take } from '../../../test/harness/detector/closing.js';
import { newWebsiteArrivals } from './website-arrivals.js';

describe('an import', () => {
  const WEEK = every(INTERVAL_MS, NOON - 7 * DAY_MS, NOON);

  test('is evaluated as a whole, from its first interval on, two minutes after its last arrival', () => {
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
    'whose parts come with pauses of %i minutes, older ones first, is closed as a whole',
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
    'is followed by live logs %i ms later, without a silence between them',
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
    'that ended %i minutes ago is not followed by a silence if it arrives before or after the first live line',
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

  test('that restarts the website is not followed by a silence until the first live logs', () => {
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

  test('that arrives after live intervals were closed restarts the website, within a day', () => {
    const website = newWebsiteArrivals();
    const archive = every(INTERVAL_MS, NOON - 2 * DAY_MS, NOON - 6 * HOUR_MS);
    const live = (from: number, to: number) => every(INTERVAL_MS, NOON + from * HOUR_MS, NOON + to * HOUR_MS);
    stream(website, NOON, NOON + HOUR_MS);
    expect(closeAll(website, NOON + HOUR_MS + 2 * MINUTE_MS)).toEqual(live(0, 1));
    take(website, NOON + HOUR_MS + 2 * MINUTE_MS, archive);
    // Live logs do not wait for the import.
    stream(website, NOON + HOUR_MS, NOON + 2 * HOUR_MS);
    expect(duesOf(website, NOON + HOUR_MS + 3 * MINUTE_MS)).toEqual([]);
    const dues = duesOf(website, NOON + 2 * HOUR_MS + 2 * MINUTE_MS);
    const inDues = (imported: boolean) =>
      dues
        .filter(({ isImported }) => isImported === imported)
        .flatMap(({ start, end }) => every(INTERVAL_MS, start, end));
    expect([inDues(true), inDues(false)]).toEqual([archive, live(0, 2)]);
    expect([website.renewal, website.changed.size]).toEqual([null, 0]);
    // A repeated import, or one after a day, changes only the health.
    take(website, NOON + HOUR_MS + 2 * MINUTE_MS, archive);
    take(website, NOON + DAY_MS + 2 * MINUTE_MS, [NOON]);
    expect([website.imported, website.changed.has(NOON)]).toEqual([null, true]);
  });

  test('whose parts often pause restarts the website less and less often', () => {
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
