import { describe, expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { botOf, clientOf, minuteOf } from '../../shared/detection/signal.fixture.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { newBaseline } from './baselines/baseline.js';
import { adoptAlerts, type Evaluation } from './evaluate-website.js';
import { type Change, knownWebsite, NOW, playSteady, STEP, spike } from './steady-traffic.fixture.js';
import { decodeState, encodeState, newWebsiteState } from './website-state.js';

/** What a detector that starts again goes on from, whichever release saved it. */

const KNOWN = encodeState(knownWebsite());
const known = () => decodeState(KNOWN);

const fired = (evaluations: readonly Evaluation[]): Alert[] =>
  evaluations.flatMap(({ alerts }) => alerts.filter(({ occurrences }) => occurrences === 1));

describe('a saved state', () => {
  it('goes on as the one in memory, with hostile names in it', () => {
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

  it('reads what was saved before people were counted by themselves, and learns them from then on', () => {
    const { memory, baselines, lately: _, ...rest } = JSON.parse(KNOWN);
    const { people: __, ...known } = memory;
    const { people: ___, ...ofAll } = baselines;
    for (const former of [baselines, ofAll]) {
      const read = decodeState(JSON.stringify({ ...rest, baselines: former, memory: known }));
      expect(read.baselines.people).toEqual(former === ofAll ? newBaseline('count') : baselines.people);
      expect(read.baselines.traffic).toEqual(baselines.traffic);
      expect(read.recent).toEqual([]);
      expect(read.memory.people).toEqual(newWebsiteState('w').memory.people);
      expect(fired(playSteady(read, { start: NOW, end: NOW + 6 * HOUR_MS }))).toEqual([]);
    }
  });

  it('reads what was saved before intervals kept what alerts show, and gathers the hour anew', () => {
    const state = JSON.parse(KNOWN);
    for (const interval of state.recent) delete interval.shown;
    expect(decodeState(JSON.stringify(state)).recent).toEqual([]);
  });

  it('reads what was saved before latency had a gauge, and begins one', () => {
    const { gauges, ...former } = JSON.parse(KNOWN);
    expect(gauges.latency.count).toBeGreaterThan(0);
    for (const interval of former.recent) delete interval.novelty;
    const read = decodeState(JSON.stringify(former));
    expect(read.gauges).toEqual(newWebsiteState('w').gauges);
    expect(fired(playSteady(read, { start: NOW, end: NOW + 6 * HOUR_MS }))).toEqual([]);
    expect(read.gauges.latency.count).toBe(72);
  });

  it('of another version is refused', () => {
    expect(() => decodeState(JSON.stringify({ ...JSON.parse(KNOWN), version: 2 }))).toThrow(/version 2/);
  });

  it('stays small, whoever sends what', () => {
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

  it('takes over only its own website’s alerts', () => {
    const [alert] = fired(playSteady(known(), { start: NOW, end: NOW + HOUR_MS }, spike));
    const state = known();
    adoptAlerts(state, [{ ...alert!, websiteId: 'another' }]);
    expect(state.open.size).toBe(0);
    adoptAlerts(state, [alert!]);
    expect(state.open.size).toBe(1);
  });
});

describe('a state that an earlier release saved', () => {
  const former = (change: (stored: ReturnType<typeof JSON.parse>) => void) => {
    const stored = JSON.parse(KNOWN);
    change(stored);
    return decodeState(JSON.stringify(stored));
  };

  it('has no crawlers of which no request was ever verified', () => {
    const state = former(({ memory }) => {
      const [, record] = memory.crawlers[0];
      memory.crawlers.push(['Made up', { ...record, tally: { at: NOW, sums: [0, 0, 0] } }]);
    });
    expect([...state.memory.crawlers.keys()]).toEqual(['Google']);
  });

  it('is read where its windows know nothing of errors that clients met', () => {
    const { status5xx, ...client } = clientOf({});
    const state = former(({ windows }) => {
      const window = { start: NOW - STEP, remainder: {}, isDelivered: true, counts: minuteOf({}) };
      windows.bot = { ...window, counts: { ...window.counts, byClient: [client] } };
    });
    expect(state.windows.bot?.counts.byClient).toEqual([clientOf({ status5xx: 0 })]);
  });
});
