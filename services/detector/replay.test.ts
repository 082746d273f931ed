import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { HOUR_MS } from '../../shared/durations.js';
import { botOf, clientOf } from '../../test/harness/detector/counts.js';
import {
  type Change,
  knownWebsite,
  NOW,
  outage,
  playSteady,
  STEP,
  spike,
} from '../../test/harness/detector/steady-traffic.js';
import { adoptAlerts } from './evaluation/evaluate-website.js';
import { decodeState, encodeState } from './evaluation/website-state.js';

/**
 * Kills the core and replays it. An owner stores the alerts of each interval before the next one, and saves
 * the state from time to time. The next owner has the last saved state and the stored alerts.
 */

const KNOWN = encodeState(knownWebsite());
const END = NOW + 10 * HOUR_MS;
const INTERVALS = (END - NOW) / STEP;

/** A spike, an outage that returns after it was cleared, scanners, new bots, and a silence. */
const eventful: Change = (usual, at) => {
  const hour = (at - NOW) / HOUR_MS;
  if (hour < 1) return spike(usual, at);
  if ((hour >= 2 && hour < 3) || (hour >= 6 && hour < 6.5)) return outage(usual, at);
  if (hour >= 8.5) return undefined;
  const byClient = [clientOf({ ip: `192.0.2.${Math.floor(hour)}`, probes: 30, paths: 20, requests: 30 })];
  const byBot = [...usual.byBot, botOf({ name: `Bot${Math.floor(hour / 2)}`, requests: 20 })];
  return { ...usual, byClient, byBot };
};

const closed = (text: string, from: number, stored: ReadonlyMap<string, Alert>) => {
  const state = decodeState(text);
  adoptAlerts(state, [...stored.values()]);
  return { state, at: from };
};

/** Plays to the end, with a crash after each of these intervals; the state is saved at every `saveEach`th. */
function played(crashes: readonly number[], saveEach: number, storesOfLast: number) {
  const stored = new Map<string, Alert>();
  const told: string[] = [];
  const left = [...crashes].sort((a, b) => a - b);
  let saved = { text: KNOWN, at: 0 };
  let { state, at } = closed(KNOWN, 0, stored);
  while (at < INTERVALS) {
    const start = NOW + at * STEP;
    const [evaluation] = playSteady(state, { start, end: start + STEP }, eventful);
    const isCrash = left[0] === at;
    // Before a crash only the first alerts of the interval were stored.
    const alerts = evaluation!.alerts.slice(0, isCrash ? storesOfLast : undefined);
    for (const alert of alerts) {
      stored.set(alert.alertId, alert);
      told.push(`${alert.alertId} ${alert.occurrences}`);
    }
    at += 1;
    if (isCrash) {
      left.shift();
      ({ state, at } = closed(saved.text, saved.at, stored));
    } else if (at % saveEach === 0) saved = { text: encodeState(state), at };
  }
  return { stored: [...stored.values()].sort((a, b) => (a.alertId < b.alertId ? -1 : 1)), told };
}

it('each alert and each repeat is stored once after any number of crashes, and none is lost', {
  timeout: 300_000,
}, () => {
  const undisturbed = played([], 1, 0);
  const types = new Set(undisturbed.stored.map(({ type }) => type));
  expect(types).toContain('hacking_probe');
  expect(undisturbed.stored.filter(({ type }) => type === 'error_spike_5xx')).toHaveLength(2);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(INTERVALS - 1), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(3),
      (crashes, saveEach, storesOfLast) => {
        const { stored, told } = played(crashes, saveEach, storesOfLast);
        expect(stored).toEqual(undisturbed.stored);
        expect(new Set(told).size).toBe(told.length);
        expect([...told].sort()).toEqual([...undisturbed.told].sort());
      },
    ),
    { numRuns: 40 },
  );
});
