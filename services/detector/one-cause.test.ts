import { expect, it } from 'vitest';
import { fingerprintOf } from '../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { knownWebsite, NOW, playSteady } from '../../test/harness/detector/steady-traffic.js';
import { decodeState, encodeState } from './evaluation/website-state.js';

/** One cause is one incident: several joined subjects of an effect exclude those that a cause explains. */

const KNOWN = encodeState(knownWebsite());
const FAMILIES = Array.from({ length: 7 }, (_, index) => `Family${index}`);

/** Search crawlers that come every half hour, and were last seen two hours ago. */
function withAbsent() {
  const state = decodeState(KNOWN);
  for (const family of FAMILIES) {
    state.memory.crawlers.set(family, {
      named: [
        {
          name: `${family}bot`,
          firstSeen: NOW - 30 * DAY_MS,
          requests: 5_000,
          tally: { at: NOW, sums: [5_000, 10, 10] },
        },
      ],
      isSearch: true,
      firstSeen: NOW - 30 * DAY_MS,
      lastSeen: NOW - 2 * HOUR_MS,
      awayMs: 2 * HOUR_MS,
      requests: 5_000,
      visitedIntervals: 2_000,
      absences: Array.from({ length: 10 }, (_, day): [number, number] => [day, 30 * MINUTE_MS]),
    });
  }
  return state;
}

/** Crawler drops in the next hour, if the given crawlers are known to be refused. */
function dropsWhereBlocked(blocked: readonly string[]) {
  const state = withAbsent();
  for (const subject of blocked)
    state.found.lastPersisted.set(
      fingerprintOf({ type: 'crawler_blocked', severity: 'critical', subject }),
      NOW,
    );
  const evaluations = playSteady(state, { start: NOW, end: NOW + HOUR_MS });
  return evaluations.flatMap(({ alerts }) => alerts).filter(({ type }) => type === 'crawler_drop');
}

it('many crawlers that stay away are one alert', () => {
  expect(dropsWhereBlocked([])).toMatchObject([{ subject: '', details: { crawler_families: FAMILIES } }]);
});

it('the alert names no crawler that is known to be refused', () => {
  expect(dropsWhereBlocked([FAMILIES[0]!])).toMatchObject([
    { subject: '', details: { crawler_families: FAMILIES.slice(1) } },
  ]);
  expect(dropsWhereBlocked(FAMILIES.slice(2)).map(({ subject }) => subject)).toEqual(FAMILIES.slice(0, 2));
  expect(dropsWhereBlocked(FAMILIES)).toEqual([]);
});
