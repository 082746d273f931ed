import { expect, it } from 'vitest';
import { benchInjections } from './inject.js';
import { benchWeeks } from './weeks.js';

/**
 * A short version of `npm run bench -- --only detector`. Its bounds are generous: they detect a broken rule,
 * but allow chance.
 */

it('finds nearly all incidents of nine simulated weeks, and few false ones', {
  timeout: 600_000,
}, () => {
  const { incidents, falseAlerts, falseInHistory, rightAlerts, weeks } = benchWeeks('short', 3);
  const missed = incidents.filter(({ alert }) => alert === undefined).map(({ incident }) => incident.type);
  expect(incidents).toHaveLength(42);
  // Each type occurs two or three times.
  expect(missed.length, missed.join()).toBeLessThanOrEqual(4);
  for (const type of new Set(missed)) {
    const own = incidents.filter(({ incident }) => incident.type === type);
    expect(
      own.some(({ alert }) => alert !== undefined),
      `${type} is never found`,
    ).toBe(true);
  }
  expect(rightAlerts / (rightAlerts + falseAlerts.length)).toBeGreaterThan(0.85);
  expect((falseAlerts.length + falseInHistory.length) / (weeks + 6)).toBeLessThan(1);
});

it('detects stronger changes more often', { timeout: 600_000 }, () => {
  const curve = benchInjections('short', 1);
  for (const [name, [weakest, ...stronger]] of curve) {
    expect(stronger.at(-1), name).toBeGreaterThanOrEqual(weakest!);
    if (name !== 'drift') expect(stronger.at(-1), name).toBeGreaterThanOrEqual(0.5);
  }
});
