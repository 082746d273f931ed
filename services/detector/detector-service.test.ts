import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { decodeAlert } from '../../shared/alerts/alert-codec.js';
import { defaultAlertSettings } from '../../shared/alerts/settings.js';
import { arrivalRecord } from '../../shared/detection/arrival-codec.js';
import { MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import { DETECTOR_GROUP, ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import { partitionOf } from '../../shared/event-log/partition-of.js';
import { fakeCore } from '../../test/harness/detector/fake-core.js';
import { createMemoryStore } from '../../test/harness/detector/memory-store.js';
import { arrived, START } from '../../test/harness/detector/partition-world.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../test/harness/memory-event-log.js';
import { type DetectorService, startDetector } from './detector-service.js';

/** The service with a clock that only the test advances, on a log of two partitions. */

let log: MemoryEventLog;
let store: ReturnType<typeof createMemoryStore>;
let registry: Registry;
let running: DetectorService[];

beforeEach(() => {
  vi.useFakeTimers({
    now: START,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  log = createMemoryEventLog(2, Date.now);
  store = createMemoryStore();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  vi.useRealTimers();
  await log.close();
});

async function start() {
  registry = new Registry();
  const service = await startDetector({
    log,
    store: store.store,
    core: fakeCore,
    circumstancesOf: () => ({
      settings: defaultAlertSettings,
      suppressed: new Set(),
      sharedNetworkOf: () => null,
    }),
    isErased: () => false,
    now: Date.now,
    logger: pino({ level: 'silent' }),
    registry,
    onCrash(error) {
      throw error;
    },
  });
  running.push(service);
  await pass(0);
  return service;
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.advanceTimersByTimeAsync(0);
};

async function upload(website: string, minute: number, requests: number): Promise<void> {
  const at = (Date.now() - START) / MINUTE_MS;
  const { rows, arrival } = arrived({ at, website, requests: { [minute]: requests } });
  store.requests.push(...rows);
  await log.append('requests.stored', [arrivalRecord(arrival)]);
}

const gauge = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;
const lag = async () =>
  (await registry.getSingleMetric('loglane_detector_lag_records')!.get()).values.reduce(
    (sum, { value }) => sum + value,
    0,
  );
const alerted = () => log.records('alerts').map(({ value }) => decodeAlert(value).websiteId);

test('raises alerts for websites in all partitions, in the table and in the topic, and reports its metrics', async () => {
  const service = await start();
  const websites = ['web_a', 'web_b', 'web_c', 'web_d'];
  for (const website of websites) await upload(website, 0, 12);
  expect(await lag()).toBe(4);
  await pass(6 * MINUTE_MS);
  expect(alerted()).toEqual([]);
  expect(await gauge('loglane_detector_websites')).toBe(4);
  expect(await lag()).toBe(0);
  await pass(MINUTE_MS);
  expect(alerted().sort()).toEqual(websites);
  expect([...store.alerts.values()].map(({ websiteId }) => websiteId).sort()).toEqual(websites);
  expect(service.notReady()).toBeNull();
  expect(await gauge('loglane_detector_alerts_total')).toBe(4);
  expect(await gauge('loglane_detector_clock_behind_seconds')).toBeLessThanOrEqual(5);
  expect(await lag()).toBe(0);
});

test('closes nothing while uploads wait for the enrichers', async () => {
  await start();
  await upload('web_a', 0, 12);
  await pass(MINUTE_MS);
  const [{ partition, offset }] = (await log.append('requests.raw', [
    { key: 'web_a/0', value: Buffer.from('block') },
  ])) as [{ partition: number; offset: number }];
  await pass(20 * MINUTE_MS);
  expect(alerted()).toEqual([]);
  expect(await gauge('loglane_detector_clock_behind_seconds')).toBeGreaterThan(19 * 60);
  const enricher = await log.consume({
    topic: 'requests.raw',
    group: ENRICHER_GROUP,
    onRecords: async () => {},
    onCrash() {},
  });
  await enricher.commit(partition, { offset: offset + 1, metadata: '' });
  await pass(10 * SECOND_MS);
  expect(alerted()).toEqual(['web_a']);
  await enricher.stop();
});

test('saves states every few minutes and on stop, and continues from them', async () => {
  const first = await start();
  await upload('web_a', 0, 12);
  await pass(3 * MINUTE_MS);
  expect((await log.committed('requests.stored', DETECTOR_GROUP)).size).toBe(0);
  await pass(6 * MINUTE_MS);
  const saved = await log.committed('requests.stored', DETECTOR_GROUP);
  expect([...saved.values()].reduce((sum, { offset }) => sum + offset, 0)).toBe(1);
  expect(await gauge('loglane_detector_checkpoint_age_seconds')).toBeLessThan(5 * 60);
  await upload('web_b', 8, 12);
  await pass(SECOND_MS);
  await first.stop();
  expect([...store.arrivals.keys()].sort()).toEqual(['web_a', 'web_b']);
  await start();
  await pass(10 * MINUTE_MS);
  expect(alerted().sort()).toEqual(['web_a', 'web_b']);
  expect([...store.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([1, 1]);
});

test('is not ready before its partitions are loaded, nor during a long write', async () => {
  store.fail = true;
  const service = await start();
  expect(service.notReady()).toMatch(/ClickHouse/);
  store.fail = false;
  await pass(MINUTE_MS);
  expect(service.notReady()).toBeNull();
  await upload('web_a', 1, 12);
  await pass(5 * MINUTE_MS);
  store.fail = true;
  await pass(5 * MINUTE_MS);
  expect(service.notReady()).toMatch(/ClickHouse/);
  expect(await gauge('loglane_detector_store_stuck_seconds')).toBeGreaterThan(60);
  store.fail = false;
  await pass(MINUTE_MS);
  expect(service.notReady()).toBeNull();
  expect(alerted()).toEqual(['web_a']);
});

test('continues with its other partitions while stored rows of one cannot be read', async () => {
  const { states } = store.store;
  let isBroken = true;
  store.store.states = async (ids) => {
    if (isBroken && ids.includes('web_a')) z.number().parse('a row');
    return states(ids);
  };
  const service = await start();
  const other = ['web_b', 'web_c', 'web_d'].find((id) => partitionOf(id, 2) !== partitionOf('web_a', 2))!;
  await upload('web_a', 0, 12);
  await upload(other, 0, 12);
  await pass(8 * MINUTE_MS);
  expect(alerted()).toEqual([other]);
  expect(service.notReady()).toMatch(/ClickHouse/);
  expect(await gauge('loglane_detector_waiting_partitions')).toBe(1);

  isBroken = false;
  await pass(8 * MINUTE_MS);
  expect(alerted().sort()).toEqual(['web_a', other]);
  expect(service.notReady()).toBeNull();
});
