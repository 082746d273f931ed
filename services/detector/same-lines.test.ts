import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import {
  alertsOf,
  ONE_OWNER,
  type Owners,
  shipped,
  shuffled,
  sizesOf,
  uploaded,
} from '../../test/harness/detector/deliveries.js';
import { seeded } from '../../test/harness/detector/series.js';
import { weekOf } from '../../test/harness/detector/weeks.js';
import { isNightly } from '../../test/harness/runs.js';

/** The same lines give the same alerts, in whatever parts and order they come, and whatever befalls the owners of the partitions. */

/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 12);
const RUNS = isNightly ? 60 : 3;

/** When it was found depends on when the lines came, and nothing else does. */
function comparable(alerts: readonly Alert[], leftOut: ReadonlySet<string> = new Set(['hours_old'])) {
  const withoutAge = (details: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(
      Object.entries(details)
        .filter(([name]) => !leftOut.has(name))
        .map(([name, value]) => [name, name === 'worst' ? withoutAge(value as Alert['details']) : value]),
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

/** Judged from the upload's beginning until nothing of it can be due any more. */
const PLAYED = { from: NOW, to: NOW + HOUR_MS, tickMs: 30 * SECOND_MS };

describe('the same lines', () => {
  test.each([
    ['that ended hours ago', NOW - 3 * HOUR_MS, ['hours_old']],
    // Whether lines are of the last two hours depends on when they are received.
    ['that end now', NOW, ['hours_old', 'from_import']],
  ])(
    '%s give the same alerts, whatever the size, order and number of their uploads',
    { timeout: 600_000 },
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
            const inParts = await alertsOf(delivery, someOwners, PLAYED);
            expect(comparable(inParts, new Set(age))).toEqual(comparable(whole, new Set(age)));
            for (const { type } of whole) types.add(type);
          },
        ),
        { numRuns: RUNS },
      );
      expect(types.size).toBeGreaterThan(5);
    },
  );

  test('give the same alerts as they are made, in whatever batches of up to a minute', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), owners, async (seed, someOwners) => {
        const random = seeded(seed);
        const rows = weekOf({ seed, websites: 2, days: 4, end: NOW + 1.5 * DAY_MS });
        const archive = { storedAt: NOW, rows: rows.filter(({ timestamp }) => timestamp < NOW) };
        const live = rows.filter(({ timestamp }) => timestamp >= NOW);
        const played = { ...PLAYED, to: NOW + 1.5 * DAY_MS + HOUR_MS };
        const atOnce = await alertsOf([archive, ...shipped(live, 0, random)], ONE_OWNER, played);
        const batches = await alertsOf([archive, ...shipped(live, MINUTE_MS, random)], someOwners, played);
        expect(comparable(batches)).toEqual(comparable(atOnce));
        expect(batches.some(({ details }) => details.from_import === undefined)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
