import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { insertAlerts } from '../../../../shared/reads/alerts/alert-writes.js';
import type { StoredHealthPoint } from '../../../../shared/reads/health/health-points.js';
import { insertAlert, testAlert } from '../../../../test/harness/alerts.js';
import { createTestApi, TEST_NOW, type TestApi, uncounted } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertIntervals } from '../../../../test/harness/health-points.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';

/** Present and past metrics of a website, from the rows of the detector. */

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  test = await createTestApi({ clickhouse: engine.clickhouse, usage: uncounted });
});

const write = (start: number, points: readonly Partial<StoredHealthPoint>[], writtenAt?: number) =>
  insertIntervals(engine.clickhouse, { websiteId: test.website.id, start }, points, writtenAt);
const health = async () => (await test.read('/health')).body;
const history = async (query = '') => (await test.read(`/health/history${query}`)).body;

const NEWEST = TEST_NOW - 10 * MINUTE_MS;

describe('health', () => {
  it('returns the newest interval of each metric with its baseline', async () => {
    await write(NEWEST - 5 * MINUTE_MS, [{ value: 1 }, { value: 200, z: 11, status: 'critical' }]);
    await write(NEWEST, [{ metric: 'errors', value: 3, mean: 2.123, std: 1, z: 0.877 }]);
    await write(NEWEST, [{ metric: 'latency', value: 120.456, timed: 80 }]);
    await write(NEWEST, [{ metric: 'not_found', value: 4, z: 0, status: 'insufficient_data' }]);
    const { metrics, ...rest } = await health();
    expect(metrics.traffic).toEqual({
      current: 200,
      baseline_mean: 90,
      baseline_std: 10,
      z_score: 11,
      status: 'critical',
    });
    expect(metrics.errors).toMatchObject({
      current: 3,
      baseline_mean: 2.12,
      z_score: 0.88,
      current_rate: 1.5,
    });
    expect(metrics.latency).toMatchObject({ current: 120.46, unit: 'ms' });
    expect(metrics.not_found).toMatchObject({ current: 4, z_score: null, status: 'insufficient_data' });
    expect(metrics.crawlers).toMatchObject({ current: null, status: 'insufficient_data' });
    expect(rest).toEqual({
      data_flowing: false,
      last_received_at: null,
      baseline_maturity: { status: 'mature', observations: 5_000 },
      evaluation_window_minutes: 5,
      evaluated_at: '2026-11-21T11:55:00.000Z',
      active_alerts: [],
    });
  });

  it('returns no figures of an old interval, and no baseline while it is being built', async () => {
    await write(TEST_NOW - 2 * HOUR_MS, [{ maturity: 'warming_up', observations: 400 }]);
    await write(NEWEST, [
      { metric: 'bots', maturity: 'building', observations: 3, z: 0, status: 'insufficient_data' },
    ]);
    const { metrics, baseline_maturity, evaluated_at } = await health();
    expect(metrics.traffic).toMatchObject({
      current: null,
      baseline_mean: null,
      status: 'insufficient_data',
    });
    expect(metrics.bots).toMatchObject({ current: 100, baseline_mean: null, baseline_std: null });
    expect(evaluated_at).toBeNull();
    expect(baseline_maturity).toEqual({ status: 'warming_up', observations: 400 });
    const { baseline_status } = (await test.read('/alerts/config')).body;
    expect(baseline_status).toMatchObject({ status: 'warming_up', data_points: 400, ready: true });
  });

  it('of an interval that was written again has the last values', async () => {
    await write(NEWEST, [{ value: 7 }], 2_000);
    await write(NEWEST, [{ value: 5 }], 1_000);
    expect((await health()).metrics.traffic.current).toBe(7);
  });

  it('lists the alerts that may still repeat, by severity and then newest first, of any age', async () => {
    const fire = (given: object) => insertAlert(engine.clickhouse, { websiteId: test.website.id, ...given });
    const lasting = await fire({ createdAt: TEST_NOW - 80 * HOUR_MS, lastSeen: TEST_NOW - HOUR_MS });
    const fresh = await fire({ type: 'new_bot', severity: 'info', createdAt: TEST_NOW - MINUTE_MS });
    await fire({ type: 'scraper', createdAt: TEST_NOW - 3 * HOUR_MS });
    await insertAlert(engine.clickhouse, {
      websiteId: test.foreignWebsite.id,
      createdAt: TEST_NOW - MINUTE_MS,
    });
    expect((await health()).active_alerts).toEqual([
      expect.objectContaining({ alert_id: lasting.alertId }),
      {
        alert_id: fresh.alertId,
        alert_type: 'new_bot',
        severity: 'info',
        created_at: '2026-11-21T11:59:00.000Z',
      },
    ]);
  });

  it('lists a continuing outage, regardless of the number of newer and cleared alerts', async () => {
    const { id: websiteId } = test.website;
    const outage = testAlert({
      websiteId,
      type: 'error_spike_5xx',
      severity: 'critical',
      createdAt: TEST_NOW - 9 * HOUR_MS,
      lastSeen: TEST_NOW - MINUTE_MS,
    });
    const probes = [3 * HOUR_MS, HOUR_MS].flatMap((ago) =>
      Array.from({ length: 100 }, (_, index) =>
        testAlert({
          websiteId,
          type: 'hacking_probe',
          subject: `10.0.0.${index}`,
          createdAt: TEST_NOW - ago,
        }),
      ),
    );
    await insertAlerts(engine.clickhouse, [outage, ...probes]);
    const { active_alerts } = await health();
    expect(active_alerts).toHaveLength(100);
    expect(active_alerts[0]).toMatchObject({ alert_id: outage.alertId, severity: 'critical' });
  });

  it('drops alerts of a suppressed bot, and keeps findings of nightly rules for a day', async () => {
    const fire = (given: object) => insertAlert(engine.clickhouse, { websiteId: test.website.id, ...given });
    await fire({ type: 'fake_crawler', subject: 'GPTBot', createdAt: TEST_NOW - 3 * HOUR_MS });
    const nightly = await fire({ type: 'check_failed', subject: 'x', createdAt: TEST_NOW - 20 * HOUR_MS });
    await test.read('/bots/GPTBot/suppress', { method: 'POST' });
    expect((await health()).active_alerts).toMatchObject([{ alert_id: nightly.alertId }]);
  });

  it('does not report a silence with an alert as normal', async () => {
    await write(NEWEST, [{ value: 0, z: -3.05, status: 'normal' }]);
    const silence = { type: 'log_silence', severity: 'critical', createdAt: TEST_NOW - HOUR_MS } as const;
    await insertAlert(engine.clickhouse, {
      ...{ websiteId: test.website.id, ...silence },
      lastSeen: NEWEST + 5 * MINUTE_MS,
    });
    expect((await health()).metrics.traffic).toMatchObject({ current: 0, status: 'critical' });
    await write(NEWEST, [{ value: 90, z: 0, status: 'normal' }], Date.now() + HOUR_MS);
    expect((await health()).metrics.traffic).toMatchObject({ current: 90, status: 'normal' });
  });

  it('reports whether requests arrive', async () => {
    const row = storedRequest({ website_id: test.website.id, timestamp: TEST_NOW - HOUR_MS });
    await insertStored(engine.clickhouse, [row], { deduplicationToken: test.website.id });
    const { data_flowing, last_received_at } = await health();
    expect(data_flowing).toBe(true);
    expect(last_received_at).not.toBeNull();
  });
});

describe('the history of a metric', () => {
  const HOUR = TEST_NOW - 3 * HOUR_MS;
  const times = (count: number, point: Partial<StoredHealthPoint> = {}) =>
    Array.from({ length: count }, () => point);
  const at = (body: { series: { time: string }[] }, time: number) =>
    body.series.find((point) => point.time === new Date(time).toISOString());

  it('adds the intervals of an hour and their variances', async () => {
    await write(HOUR, times(12));
    const body = await history();
    expect(body).toMatchObject({
      metric: 'traffic',
      period: '24h',
      unit: 'requests',
      window: { start: '2026-11-20T12:00:00.000Z' },
      // The hours between then and now. Time before the website's first log is no gap.
      missing_intervals: 2 * 12,
    });
    expect(body.series).toHaveLength(25);
    const half = 3.5 * Math.sqrt(12 * 100);
    expect(at(body, HOUR)).toEqual({
      time: '2026-11-21T09:00:00.000Z',
      value: 1_200,
      lower: Math.round((1_080 - half) * 100) / 100,
      upper: Math.round((1_080 + half) * 100) / 100,
      intervals: 12,
      partial: false,
    });
    expect(at(body, HOUR + HOUR_MS)).toEqual({
      time: '2026-11-21T10:00:00.000Z',
      value: null,
      lower: null,
      upper: null,
      intervals: 0,
      partial: false,
    });
  });

  it('marks the running hour, and returns the known figures of an hour with gaps', async () => {
    await write(HOUR, times(5));
    await write(TEST_NOW, times(2));
    test.advance(11 * MINUTE_MS);
    const body = await history('?period=24h');
    expect(at(body, HOUR)).toMatchObject({ value: 500, intervals: 5, partial: false });
    expect(at(body, TEST_NOW)).toMatchObject({ value: 200, intervals: 2, partial: true });
    expect(body.missing_intervals).toBe(3 * 12 - 5);
  });

  it('averages latency over requests, not over intervals', async () => {
    await write(HOUR, [
      { metric: 'latency', value: 100, mean: 90, std: 10, timed: 300 },
      { metric: 'latency', value: 500, mean: 190, std: 20, timed: 100 },
      { metric: 'latency', value: 0, mean: 900, std: 900, timed: 0 },
    ]);
    await write(HOUR + HOUR_MS, [{ metric: 'latency', value: 0, timed: 0 }]);
    const body = await history('?metric=latency');
    const half = 3.5 * (Math.sqrt(300 ** 2 * 100 + 100 ** 2 * 400) / 400);
    expect(body.unit).toBe('ms');
    expect(at(body, HOUR)).toMatchObject({
      value: 200,
      lower: Math.round((115 - half) * 100) / 100,
      upper: Math.round((115 + half) * 100) / 100,
    });
    expect(at(body, HOUR + HOUR_MS)).toMatchObject({ value: null, lower: null, intervals: 1 });
  });

  it('has no band below zero, and none if an interval had no baseline', async () => {
    await write(HOUR, times(12, { mean: 1, std: 10 }));
    await write(HOUR + HOUR_MS, [...times(11), { maturity: 'building' }]);
    const body = await history();
    expect(at(body, HOUR)).toMatchObject({ lower: 0 });
    expect(at(body, HOUR + HOUR_MS)).toMatchObject({ value: 1_200, lower: null, upper: null });
  });

  it.each([
    ['7d', 7 * 24 + 1],
    ['30d', 30 * 24 + 1],
  ])('of %s has every hour', async (period, hours) => {
    await write(HOUR, times(1));
    expect((await history(`?period=${period}`)).series).toHaveLength(hours);
  });

  it('contains only this website and this metric', async () => {
    await insertIntervals(engine.clickhouse, { websiteId: test.foreignWebsite.id, start: HOUR }, times(12));
    await write(HOUR, times(12, { metric: 'bots' }));
    expect(at(await history(), HOUR)).toMatchObject({ value: null, intervals: 0 });
    expect(at(await history('?metric=bots'), HOUR)).toMatchObject({ value: 1_200 });
  });

  it.each(['?metric=requests', '?period=90d', '?metric=constructor'])('refuses %s', async (query) => {
    expect((await test.read(`/health/history${query}`)).status).toBe(400);
  });
});
