import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import {
  alertsOf,
  lookedUp,
  ONE_OWNER,
  type Owners,
  sentEvery,
  shipped,
  shuffled,
  sizesOf,
  uploaded,
} from '../../test/harness/detector/deliveries.js';
import { seeded } from '../../test/harness/detector/series.js';
import { weekOf } from '../../test/harness/detector/weeks.js';
import { isNightly } from '../../test/harness/runs.js';

/**
 * The same lines give the same alerts, in any parts and order, and with any failures of the partitions'
 * owners.
 */

/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 12);
const RUNS = isNightly ? 60 : 2;
const LONGEST_MS = isNightly ? HOUR_MS : 10 * MINUTE_MS;

/** The longest lookup of a crawler's address. */
const LONGEST_LOOKUP_MS = 110 * SECOND_MS;

/** When an alert was found depends on when the lines arrive; its other fields do not. */
function comparable(alerts: readonly Alert[], leftOut: ReadonlySet<string> = new Set(['hours_old'])) {
  const withoutAge = (details: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(
      Object.entries(details)
        .filter(([name]) => !leftOut.has(name))
        .map(([name, value]) => [name, name === 'first' ? withoutAge(value as Alert['details']) : value]),
    );
  return alerts
    .map((alert) => ({ ...alert, details: withoutAge(alert.details) }))
    .sort((a, b) => (`${a.websiteId} ${a.alertId}` < `${b.websiteId} ${b.alertId}` ? -1 : 1));
}

const owners: fc.Arbitrary<Owners> = fc.record({
  partitions: fc.integer({ min: 1, max: 4 }),
  cacheBytes: fc.constantFrom(0, 30_000, Number.POSITIVE_INFINITY),
  kills: fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { maxLength: 6 }),
});

/** Evaluated from the upload's start until no more of it can be due. */
const PLAYED = { from: NOW, to: NOW + HOUR_MS, tickMs: 30 * SECOND_MS };

/** A gap of hours ends two hours before the first upload: the lines after it count as imported or not. */
const GAPS: [number, 'many', boolean, Owners][] = [
  [59, 'many', false, { partitions: 2, cacheBytes: 30_000, kills: [] }],
];

describe('the same lines', () => {
  test.each([
    ['that ended hours ago', NOW - 3 * HOUR_MS, ['hours_old']],
    // Whether lines are of the last two hours depends on when they are received.
    ['that end now', NOW, ['hours_old', 'from_import']],
  ])(
    '%s give the same alerts for any size, order and number of their uploads',
    { timeout: LONGEST_MS },
    async (_, end, age) => {
      const types = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.constantFrom('each', 'few', 'many'),
          fc.boolean(),
          owners,
          async (seed, parts, isInOrder, someOwners) => {
            const random = seeded(seed);
            const rows = weekOf({ seed, websites: 2, days: 4, end });
            const sent = isInOrder ? rows : shuffled(rows, random);
            const sizes =
              parts === 'each'
                ? rows.map(() => 1)
                : sizesOf(rows.length, 20, parts === 'few' ? rows.length : 200, random);
            const pauseMs = parts === 'each' ? 200 : 20 * SECOND_MS;
            const delivery = uploaded(sent, sizes, NOW, pauseMs, random);
            const whole = await alertsOf([{ storedAt: NOW, rows }], ONE_OWNER, PLAYED);
            const late = lookedUp(delivery, LONGEST_LOOKUP_MS, random);
            const inParts = await alertsOf(late.parts, someOwners, PLAYED, late.verdicts);
            expect(comparable(inParts, new Set(age))).toEqual(comparable(whole, new Set(age)));
            for (const { type } of whole) types.add(type);
          },
        ),
        { numRuns: RUNS + GAPS.length, examples: GAPS },
      );
      expect(types.size).toBeGreaterThan(5);
    },
  );

  test('give the same live alerts in any batches of up to a minute', {
    timeout: LONGEST_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
        const random = seeded(seed);
        const rows = weekOf({ seed, websites: 2, days: 4, end: NOW + 1.5 * DAY_MS });
        const archive = { storedAt: NOW, rows: rows.filter(({ timestamp }) => timestamp < NOW) };
        const live = rows.filter(({ timestamp }) => timestamp >= NOW);
        const played = { ...PLAYED, to: NOW + 1.5 * DAY_MS + HOUR_MS };
        const atOnce = await alertsOf([archive, ...shipped(live, 0, random)], ONE_OWNER, played);
        const late = lookedUp([archive, ...shipped(live, MINUTE_MS, random)], LONGEST_LOOKUP_MS, random);
        const batches = await alertsOf(late.parts, someOwners, played, late.verdicts);
        expect(comparable(batches)).toEqual(comparable(atOnce));
        expect(batches.some(({ details }) => details.from_import === undefined)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  // With some seeds the windows of an alert differ, because the lateness of the slower server must be learned
  // first.
  test.runIf(isNightly).each([10, 20])(
    'give the same alerts if one server sends at once and another one every %i minutes',
    { timeout: LONGEST_MS },
    async (minutes) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
          const random = seeded(seed);
          const end = NOW + 1.5 * DAY_MS;
          const rows = weekOf({ seed, websites: 2, days: 4, end });
          const archive = { storedAt: NOW, rows: rows.filter(({ timestamp }) => timestamp < NOW) };
          const live = rows.filter(({ timestamp }) => timestamp >= NOW);
          // In its first hours the slower server repeats lines of the other one, so that its interval is
          // learned.
          const begin = NOW + 4 * HOUR_MS;
          const isSlow = new Set(live.filter(({ timestamp }) => timestamp >= begin && random() < 0.5));
          const slow = sentEvery([...isSlow], minutes * MINUTE_MS);
          const first = live.filter(({ timestamp }) => timestamp < begin);
          const repeats = sentEvery(first, minutes * MINUTE_MS).map((part) => ({
            ...part,
            isRepeated: true,
          }));
          const fast = shipped(
            live.filter((row) => !isSlow.has(row)),
            0,
            random,
          );
          const played = { ...PLAYED, to: end + HOUR_MS };
          const one = await alertsOf([archive, ...shipped(live, 0, random)], ONE_OWNER, played);
          const two = await alertsOf([archive, ...fast, ...repeats, ...slow], someOwners, played);
          // With two servers, intervals after the last lines close later.
          const after = new Set(
            [...one, ...two].filter(({ lastSeen }) => lastSeen > end).map(({ alertId }) => alertId),
          );
          const until = (alerts: readonly Alert[]) => alerts.filter(({ alertId }) => !after.has(alertId));
          // Lines of the slower server's first hours are learned later, so usual values differ a little.
          const figures = new Set(['hours_old', 'baseline_value', 'deviation_pct', 'baseline_share_pct']);
          const figuresOf = (alerts: readonly Alert[]) =>
            comparable(until(alerts), figures).map(({ message: _, ...alert }) => alert);
          expect(figuresOf(two)).toEqual(figuresOf(one));
          expect(until(one).some(({ createdAt }) => createdAt > begin)).toBe(true);
        }),
        { numRuns: RUNS },
      );
    },
  );

  describe('that are imported within a day of the first arrival', () => {
    const IMPORTED_TO = NOW - 3 * HOUR_MS;
    const HALF_DAY = NOW + 12 * HOUR_MS;
    const IN_A_WHILE = { ...PLAYED, to: NOW + 3 * HOUR_MS };

    const types = new Set<string>();
    beforeEach(() => types.clear());
    // One week alone may have few types of alerts.
    afterEach(() => expect(types.size).toBeGreaterThan(2));

    /** Alerts that were raised on a part are removed unless they are found again. */
    function expectFound(alerts: readonly Alert[], whole: readonly Alert[]): void {
      expect(comparable(alerts)).toEqual(comparable(whole));
      for (const { type } of whole) types.add(type);
    }

    test('give the same alerts after live logs and before them', { timeout: LONGEST_MS }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
          const random = seeded(seed);
          const rows = weekOf({ seed, websites: 2, days: 4, end: HALF_DAY });
          const imported = rows.filter(({ timestamp }) => timestamp < IMPORTED_TO);
          const live = shipped(
            rows.filter(({ timestamp }) => timestamp >= NOW),
            MINUTE_MS,
            random,
          );
          const played = { ...PLAYED, to: HALF_DAY + HOUR_MS };
          const earlier = { storedAt: NOW - 10 * MINUTE_MS, rows: imported };
          const before = await alertsOf([earlier, ...live], ONE_OWNER, played);
          const later = { storedAt: NOW + 20 * MINUTE_MS, rows: imported };
          const after = await alertsOf([later, ...live], someOwners, played);
          const ofImport = (alerts: readonly Alert[]) => alerts.filter(({ createdAt }) => createdAt < NOW);
          expect(comparable(ofImport(after))).toEqual(comparable(ofImport(before)));
          expect(ofImport(after).every(({ details }) => details.from_import === true)).toBe(true);
          expectFound(after, before);
        }),
        { numRuns: RUNS },
      );
    });

    test.each([125 * SECOND_MS, 10 * MINUTE_MS])(
      'give the same alerts in parts that are %i ms apart, the newest first',
      { timeout: LONGEST_MS },
      async (pauseMs) => {
        await fc.assert(
          fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
            const rows = weekOf({ seed, websites: 2, days: 4, end: IMPORTED_TO });
            const parts = [0, 1, 2, 3].map((day) => ({
              storedAt: NOW + day * pauseMs,
              rows: rows.filter(
                ({ timestamp }) => Math.floor((IMPORTED_TO - 1 - timestamp) / DAY_MS) === day,
              ),
            }));
            const whole = await alertsOf([{ storedAt: NOW, rows }], ONE_OWNER, IN_A_WHILE);
            expectFound(await alertsOf(parts, someOwners, IN_A_WHILE), whole);
          }),
          { numRuns: RUNS },
        );
      },
    );

    test('give the same alerts if another server has lines of the same days', {
      timeout: LONGEST_MS,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
          const random = seeded(seed);
          const rows = weekOf({ seed, websites: 2, days: 4, end: IMPORTED_TO });
          const isFirst = new Set(rows.filter(() => random() < 0.5));
          const parts = [true, false].map((first, index) => ({
            storedAt: NOW + index * 10 * MINUTE_MS,
            rows: rows.filter((row) => isFirst.has(row) === first),
          }));
          const whole = await alertsOf([{ storedAt: NOW, rows }], ONE_OWNER, IN_A_WHILE);
          expectFound(await alertsOf(parts, someOwners, IN_A_WHILE), whole);
        }),
        { numRuns: RUNS },
      );
    });
  });
});
