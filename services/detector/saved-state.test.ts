import { describe, expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { botOf } from '../../test/harness/detector/counts.js';
import {
  type Change,
  knownWebsite,
  NOW,
  playSteady,
  spike,
} from '../../test/harness/detector/steady-traffic.js';
import { adoptAlerts, type Evaluation } from './evaluation/evaluate-website.js';
import { decodeState, encodeState } from './evaluation/website-state.js';

/** The state from which a restarted detector continues. */

const KNOWN = encodeState(knownWebsite());
const known = () => decodeState(KNOWN);

const fired = (evaluations: readonly Evaluation[]): Alert[] =>
  evaluations.flatMap(({ alerts }) => alerts.filter(({ occurrences }) => occurrences === 1));

describe('a saved state', () => {
  it('continues like the one in memory, including hostile names', () => {
    const hostile: Change = (usual) => ({
      ...usual,
      byBot: ['__proto__', 'constructor'].map((name) => botOf({ name, family: name, requests: 80 })),
    });
    const kept = known();
    playSteady(kept, { start: NOW, end: NOW + 20 * MINUTE_MS }, hostile);
    const restored = decodeState(encodeState(kept));
    expect(encodeState(restored)).toBe(encodeState(kept));
    expect(restored.memory.bots.get('__proto__')?.requests).toBe(320);
    const rest = { start: NOW + 20 * MINUTE_MS, end: NOW + HOUR_MS };
    expect(playSteady(restored, rest, hostile)).toEqual(playSteady(kept, rest, hostile));
  });

  it('of another version is refused', () => {
    expect(() => decodeState(JSON.stringify({ ...JSON.parse(KNOWN), version: 2 }))).toThrow(/version 2/);
  });

  it('stays small for any clients', () => {
    const state = known();
    playSteady(state, { start: NOW, end: NOW + 12 * HOUR_MS }, (usual, at) => ({
      ...usual,
      byBot: Array.from({ length: 40 }, (_, index) =>
        botOf({ name: `${at} ${index} ${'x'.repeat(250)}`, category: 'search', family: `${at} ${index}` }),
      ),
    }));
    expect(encodeState(state).length).toBeLessThan(1_500_000);
    expect(state.memory.bots.size).toBeLessThanOrEqual(2_000);
    expect(state.memory.crawlers.size).toBeLessThanOrEqual(100);
  });

  it('adopts only alerts of its own website', () => {
    const [alert] = fired(playSteady(known(), { start: NOW, end: NOW + HOUR_MS }, spike));
    const state = known();
    adoptAlerts(state, [{ ...alert!, websiteId: 'another' }]);
    expect(state.open.size).toBe(0);
    adoptAlerts(state, [alert!]);
    expect(state.open.size).toBe(1);
  });
});
