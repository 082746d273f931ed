import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Alert, alertIdOf } from '../../../shared/alerts/alert.js';
import type { DataChange } from '../../../shared/changes/data-change.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { readAlertsBetween } from '../../jobs/notifications/messages/alert-traces.js';
import { readDetectorArrivals } from './detector-arrivals.js';
import { createDetectorStore, type DetectorStore } from './detector-store.js';

/** The detector's writes to the real engine: rows are replaced as intended, and repeats change nothing. */

let engine: TestClickHouse;
let store: DetectorStore;
const reported: DataChange[] = [];

beforeAll(async () => {
  engine = await startTestClickHouse();
  store = createDetectorStore(engine.clickhouse, (changes) => void reported.push(...changes));
}, 600_000);
afterAll(() => engine?.stop());

// The engine expires rows by its own clock, so these are recent.
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

function alertOf(given: Partial<Alert>): Alert {
  const found = {
    websiteId: 'w',
    type: 'hacking_probe',
    severity: 'warning',
    subject: 'a|b',
    createdAt: NOW,
  } as const;
  return {
    ...found,
    alertId: alertIdOf({ ...found, ...given }),
    message: 'Somebody “asks”.\n',
    details: { paths: ['/.env', '/\ud83d\ude00'], requests: 12 },
    lastSeen: NOW,
    occurrences: 1,
    ...given,
  };
}

test('an alert is read back as written, once, in its latest version', async () => {
  const first = alertOf({});
  const again = { ...first, lastSeen: NOW + 5 * MINUTE_MS, occurrences: 2 };
  await store.saveAlerts([first, alertOf({ websiteId: 'v', subject: '' })], NOW);
  await store.saveAlerts([again], NOW);
  // A late write of a former owner.
  await store.saveAlerts([first], NOW);
  await store.saveAlerts([again], NOW);
  const seen = (later: Record<string, number>) =>
    store.alertsSeen({ later: new Map(Object.entries(later)), after: null, most: 10 });
  expect(await seen({ w: NOW - HOUR_MS })).toEqual([again]);
  expect(await seen({ w: NOW + 5 * MINUTE_MS })).toEqual([]);
  expect(await seen({ v: NOW - 1, u: NOW - 1 })).toEqual([alertOf({ websiteId: 'v', subject: '' })]);
  expect(await seen({ v: NOW, w: NOW })).toEqual([again]);
  expect(new Set(reported.map(({ websiteId }) => websiteId))).toEqual(new Set(['v', 'w']));
  expect(reported.filter(({ keepsRows }) => !keepsRows)).toEqual([]);
});

test('alerts of a website that restarts are removed, except those of nightly checks, and may be written again', async () => {
  const raised = alertOf({ websiteId: 'renewed', subject: '' });
  const kept = [
    alertOf({ websiteId: 'renewed', alertId: 'nightly', type: 'check_failed' }),
    alertOf({ websiteId: 'renewed', alertId: 'before', createdAt: NOW - HOUR_MS }),
    alertOf({ websiteId: 'another' }),
  ];
  const seen = async () => {
    const later = new Map([
      ['renewed', NOW - HOUR_MS],
      ['another', NOW - HOUR_MS],
    ]);
    const found = await store.alertsSeen({ later, after: null, most: 10 });
    return found.map(({ alertId }) => alertId).sort();
  };
  const idsOf = (alerts: readonly Alert[]) => alerts.map(({ alertId }) => alertId).sort();
  await store.saveAlerts([raised], NOW);
  await store.saveAlerts(kept, NOW);
  await store.removeAlerts({ websiteId: 'renewed', since: NOW - HOUR_MS });
  expect(await seen()).toEqual(idsOf(kept));
  await store.saveAlerts([raised], NOW + 1);
  expect(await seen()).toEqual(idsOf([raised, ...kept]));
});

const point = {
  websiteId: 'w',
  metric: 'traffic',
  start: NOW,
  value: 12.5,
  mean: 10,
  std: 2,
  z: 1.25,
  status: 'warning',
  timed: 0,
  maturity: 'building',
  observations: 3,
} as const;

test('a later write replaces a point of health', async () => {
  const next = { ...point, start: NOW + 5 * MINUTE_MS };
  await store.saveHealth([point, next, { ...point, websiteId: 'v' }], NOW);
  await store.saveHealth([{ ...point, value: 14, z: 2 }], NOW + 1);
  await store.saveHealth([point, next, { ...point, websiteId: 'v' }], NOW);
  expect(await store.healthOf('w', [NOW])).toEqual([{ ...point, value: 14, z: 2 }]);
  expect(await store.healthOf('w', [NOW, next.start])).toHaveLength(2);
});

test('a metric or an alert type of a later release is ignored', async () => {
  const websiteId = 'rolled back';
  const later = { ...point, websiteId, metric: 'of_a_later_release' } as unknown as typeof point;
  await store.saveHealth([later, { ...point, websiteId }], NOW);
  expect(await store.healthOf(websiteId, [NOW])).toEqual([{ ...point, websiteId }]);
  const known = alertOf({ websiteId });
  await store.saveAlerts(
    [known, { ...known, alertId: 'later', type: 'of_a_later_release' as 'scraper' }],
    NOW,
  );
  const between = { websiteId, from: NOW - HOUR_MS, to: NOW + HOUR_MS };
  const reported = await readAlertsBetween(engine.clickhouse, between);
  expect(reported.map(({ alertId }) => alertId)).toEqual([known.alertId]);
});

test('the newest state of a website is read', async () => {
  const stateOf = (websiteId: string, seconds: number, state: string) => {
    return { websiteId, state, savedAt: NOW + seconds * 1_000 };
  };
  const states = ['a', 'b', 'c'].map((id) => stateOf(id, 7, `{"id":"${id}"}\n'\\`));
  await store.saveStates(states);
  await store.saveStates([stateOf('b', 9, 'newer')]);
  await store.saveStates(states);
  expect(await store.states(['b', 'c', 'd'])).toHaveLength(2);
  expect(await store.states(['b', 'c', 'd'])).toEqual(
    expect.arrayContaining([stateOf('b', 9, 'newer'), states[2]]),
  );
});

test('the newest arrivals of all websites are read, in several statements', async () => {
  const arrivalsOf = (websiteId: string, seconds: number, arrivals: string) => {
    return { websiteId, arrivals, savedAt: NOW + seconds * 1_000 };
  };
  const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => arrivalsOf(id, 7, `{"id":"${id}"}\n'\\`));
  await store.saveArrivals(rows);
  await store.saveArrivals([arrivalsOf('b', 9, 'newer')]);
  await store.saveArrivals(rows);
  const newest = rows.map((row) => (row.websiteId === 'b' ? arrivalsOf('b', 9, 'newer') : row));
  expect(await store.arrivals(() => true)).toEqual(newest);
  expect(await readDetectorArrivals(engine.clickhouse, () => true, 2)).toEqual(newest);
});
