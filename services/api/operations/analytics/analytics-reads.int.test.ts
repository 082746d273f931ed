import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { StoreTimeoutError, StoreUnavailableError } from '../../../../shared/store/store-errors.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import {
  connectAnalytics,
  type StoredDay,
  storeAnalytics,
} from '../../../../test/harness/stored-analytics.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';
import { createDataVersions } from '../../answer-cache/data-versions.js';

const THROUGH = '2026-11-18';
const ZONE = 'America/Los_Angeles';
/** Offset of the time zone in November. */
const OFFSET = 8 * HOUR_MS;
const dayOf = (ago: number) => new Date(Date.parse(THROUGH) - ago * DAY_MS).toISOString().slice(0, 10);

/** 20 days, each with its own figures. */
const days: Record<string, StoredDay> = Object.fromEntries(
  Array.from({ length: 20 }, (_, ago) => [
    dayOf(ago),
    {
      totals: {
        ...{ sessions: 100 + ago, engagedSessions: 60, keyEvents: ago, revenue: 10.25 * ago },
        ...{ pageviews: 300 + ago, activeUsers: 80, engagementSecs: 4_000, timeZone: ZONE },
      },
      pages: [
        { path: '/', sessions: 60, aiSessions: 2, searchSessions: 30, pageviews: 100, activeUsers: 50 },
        { path: '/blog/a', sessions: 40 + ago, aiSessions: 5, revenue: 1.005, pageviews: 90 },
        { path: '/basket', sessions: 0, engagedSessions: 0, pageviews: 110 + ago },
      ],
      sources: [
        ...Array.from({ length: 30 }, (_, index) => ({ source: `site-${index}.example`, sessions: index })),
        { source: 'google', medium: 'organic', sessions: 500, engagedSessions: 400 },
        { source: 'chatgpt.com', medium: 'referral', aiOperator: 'OpenAI', sessions: 7 },
        { source: 'chatgpt.com', medium: '(not set)', aiOperator: 'OpenAI', sessions: 2 },
        { source: 'perplexity', medium: 'ai', aiOperator: 'Perplexity', sessions: 3 },
      ],
    },
  ]),
);

/** Pages served to people. The logs begin two and a half days before the end of the last finished day. */
const logged: [day: string, hour: number, path: string, count: number, changed?: object][] = [
  [dayOf(2), 15, '/', 50],
  [dayOf(1), 0, '/', 200],
  [dayOf(1), 23, '/blog/a', 300],
  [dayOf(0), 12, '/blog/a', 400],
  [dayOf(0), 12, '/logo.png', 9, { file_type: 'png' }],
  [dayOf(0), 12, '/moved', 9, { status: 301 }],
  [dayOf(0), 12, '/form', 9, { method: 'POST' }],
  [dayOf(0), 12, '/', 9, { traffic_class: 'search_bot', is_bot: true }],
  // The day after.
  [dayOf(-1), 0, '/', 9],
];

let engine: TestClickHouse;
let api: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  api = await createTestApi({ clickhouse: engine.clickhouse });
  const connection = await connectAnalytics(api.control, api.website.id);
  await storeAnalytics(engine.clickhouse, connection, { days, at: TEST_NOW - HOUR_MS });
  const rows = logged.flatMap(([day, hour, path, count, changed]) =>
    Array.from({ length: count }, (_, index) =>
      storedRequest({
        ...{ website_id: api.website.id, path, status: 200, method: 'GET', file_type: 'html' },
        timestamp: Date.parse(day) + OFFSET + hour * HOUR_MS + index,
        ...{ traffic_class: 'human', is_bot: false },
        ...changed,
      }),
    ),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'analytics-reads' });
});
afterAll(() => engine.stop());

const sum = (from: number, to: number, name: 'sessions' | 'revenue' | 'keyEvents' | 'pageviews') =>
  Array.from({ length: to - from }, (_, index) => days[dayOf(from + index)]!.totals![name]!).reduce(
    (all, value) => all + value,
    0,
  );
const hundredths = (value: number) => Math.round(value * 100) / 100;

describe('ga/overview', () => {
  test('counts whole days up to the last finished one, compared with the same number before', async () => {
    const { status, body } = await api.read('/ga/overview?hours=150');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ analytics_connected: true, property_id: '123456789', property_name: 'Shop', available: true },
      ...{ reason: null, currency: 'EUR', last_sync_at: new Date(TEST_NOW - HOUR_MS).toISOString() },
      data_buffering: false,
    });
    expect(body.window).toEqual({ from: dayOf(6), to: THROUGH, days: 7, lag_days: 3 });
    const totals = (from: number, to: number) => ({
      ...{ sessions: sum(from, to, 'sessions'), engaged_sessions: 420 },
      engagement_rate: Math.round(1e4 * (420 / sum(from, to, 'sessions'))) / 1e4,
      ...{ key_events: sum(from, to, 'keyEvents'), revenue: hundredths(sum(from, to, 'revenue')) },
      ...{ pageviews: sum(from, to, 'pageviews'), active_users: 560, avg_engagement_secs: 50 },
    });
    expect(body.totals).toEqual(totals(0, 7));
    expect(body.previous).toEqual({ window: { from: dayOf(13), to: dayOf(7) }, ...totals(7, 14) });
    const change = (name: string) =>
      hundredths((100 * (body.totals[name] - body.previous[name])) / body.previous[name]);
    expect(body.deltas).toEqual({
      ...Object.fromEntries(
        ['sessions', 'active_users', 'engaged_sessions', 'key_events', 'revenue', 'pageviews']
          .concat('avg_engagement_secs')
          .map((name) => [`${name}_pct`, change(name)]),
      ),
      engagement_rate_pp: hundredths(100 * (body.totals.engagement_rate - body.previous.engagement_rate)),
    });
  });

  test('returns the 25 sources with most sessions, and assistants at any rank', async () => {
    const { body } = await api.read('/ga/overview?hours=48');
    expect(body.sources).toHaveLength(25);
    expect(body.sources[0]).toEqual({
      ...{ source: 'google', medium: 'organic', sessions: 1000, engaged_sessions: 800 },
      ...{ engagement_rate: 0.8, key_events: 0, revenue: 0 },
    });
    expect(body.ai_sources).toMatchObject([
      { operator: 'OpenAI', source: 'chatgpt.com', sessions: 18 },
      { operator: 'Perplexity', source: 'perplexity', sessions: 6 },
    ]);
  });

  test('compares views with the pages served to people in the logs, by the days of the property', async () => {
    const { body } = await api.read('/ga/overview?hours=72');
    // The logs begin in the middle of the first of the three days.
    expect(body.series.map(({ day, log_humans }: any) => [day, log_humans])).toEqual([
      [dayOf(2), null],
      [dayOf(1), 500],
      [dayOf(0), 400],
    ]);
    const views = sum(0, 2, 'pageviews');
    expect(body.measurement_gap).toEqual({
      ...{ available: true, data_buffering: false, reason: null, ga_pageviews: views, days_compared: 2 },
      ...{ log_human_page_requests: 900, unmeasured_pct: hundredths((100 * (900 - views)) / 900) },
      note: expect.any(String),
    });
  });

  test('of days without logs has no gap', async () => {
    const { body } = await api.read(`/ga/overview?start=${dayOf(12)}&end=${dayOf(10)}`);
    expect(body).toMatchObject({ available: true, window: { from: dayOf(12), to: dayOf(10), days: 3 } });
    expect(body.measurement_gap).toMatchObject({
      ...{ available: false, reason: 'no_log_data', ga_pageviews: null, data_buffering: false },
    });
  });

  test('moves a later end to the last finished day, and compares only with complete days', async () => {
    const { body } = await api.read(`/ga/overview?start=${dayOf(14)}&end=2026-11-21`);
    expect(body.window).toEqual({ from: dayOf(14), to: THROUGH, days: 15, lag_days: 3 });
    expect(body.previous.sessions).toBe(sum(15, 20, 'sessions'));
    expect(new Set(Object.values(body.deltas))).toEqual(new Set([null]));
  });

  test('returns the reason if it has no figures', async () => {
    const path = `/public/v1/websites/${api.foreignWebsite.id}/ga/overview`;
    const read = async (query = '') => (await api.request(path + query, { key: api.keys.foreign })).body;
    const nothing = (reason: string) => ({
      ...{ available: false, reason, window: null, totals: null, previous: null, deltas: null, series: [] },
      ...{ sources: [], ai_sources: [], currency: null, data_buffering: false },
      measurement_gap: { available: false, reason, days_compared: null },
    });
    expect(await read()).toMatchObject({
      ...nothing('analytics_not_connected'),
      ...{ analytics_connected: false, property_id: null, last_sync_at: null },
    });
    const connection = await connectAnalytics(api.control, api.foreignWebsite.id);
    expect(await read()).toMatchObject({ ...nothing('not_synced_yet'), analytics_connected: true });
    await storeAnalytics(engine.clickhouse, connection, { days: { [THROUGH]: {} }, at: TEST_NOW });
    expect(await read()).toMatchObject({ available: true });
    expect(await read('?start=2026-10-01&end=2026-10-02')).toMatchObject(nothing('no_data_in_window'));
    expect(await read('?start=2026-11-20&end=2026-11-21')).toMatchObject(nothing('no_data_in_window'));
  });

  test('returns the other figures while the logs are counted, and all figures afterwards', async () => {
    const { clickhouse } = engine;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reader: ClickHouseReader = {
      async read(query) {
        if (query.name !== 'web_analytics.human_pages') return clickhouse.read(query);
        // The everyday read times out.
        if (query.scan === undefined) throw new StoreTimeoutError('too long');
        await held;
        return clickhouse.read(query);
      },
    };
    const slow = await createTestApi({ reader, readDeadlineMs: 50 });
    const connection = await connectAnalytics(slow.control, slow.website.id);
    await storeAnalytics(clickhouse, connection, { days: { [THROUGH]: {} }, at: TEST_NOW });
    expect((await slow.read('/ga/overview')).body).toMatchObject({
      ...{ available: true, totals: { sessions: 1 }, series: [{ log_humans: null }], data_buffering: true },
      measurement_gap: { available: false, data_buffering: true, reason: null },
    });
    release();
    const finished = async () => (await slow.read('/ga/overview')).body;
    await expect.poll(finished).toMatchObject({
      ...{ available: true, totals: { sessions: 1 }, data_buffering: false },
      measurement_gap: { available: false, data_buffering: false, reason: 'no_log_data' },
    });
  });

  test.each(['overview', 'pages'])('of a store that fails is 503: %s', async (name) => {
    const reader = { read: () => Promise.reject(new StoreUnavailableError('away')) };
    const broken = await createTestApi({ reader });
    await connectAnalytics(broken.control, broken.website.id);
    const { status, body } = await broken.read(`/ga/${name}`);
    expect(status).toBe(503);
    expect(body).toMatchObject({ detail: expect.any(String) });
  });
});

describe('ga/pages', () => {
  test('lists pages by sessions, with those that assistants and search engines sent', async () => {
    const { body } = await api.read('/ga/pages?hours=48');
    expect(body).toMatchObject({
      ...{ analytics_connected: true, available: true, reason: null, currency: 'EUR', total: 3 },
      window: { from: dayOf(1), to: THROUGH, days: 2, lag_days: 3 },
    });
    expect(body.pages.map(({ path, sessions }: any) => [path, sessions])).toEqual([
      ['/', 120],
      ['/blog/a', 81],
      ['/basket', 0],
    ]);
    expect(body.pages[0]).toEqual({
      ...{
        path: '/',
        sessions: 120,
        engaged_sessions: 2,
        engagement_rate: 0.0167,
        key_events: 0,
        revenue: 0,
      },
      ...{ pageviews: 200, active_users: 100, avg_engagement_secs: 0.6, ai_sessions: 4, search_sessions: 60 },
    });
    expect(body.pages[1].revenue).toBe(2.01);
  });

  test('counts pages beyond the limit, and finds part of a path in any case', async () => {
    expect((await api.read('/ga/pages?limit=1')).body).toMatchObject({ total: 3, pages: [{ path: '/' }] });
    expect((await api.read('/ga/pages?q=BLOG')).body).toMatchObject({
      total: 1,
      pages: [{ path: '/blog/a' }],
    });
    expect((await api.read("/ga/pages?q='%25_")).body).toMatchObject({
      available: true,
      total: 0,
      pages: [],
    });
  });

  test('returns the reason if it has no figures', async () => {
    const other = await createTestApi({ clickhouse: engine.clickhouse });
    const read = async (query = '') => (await other.read(`/ga/pages${query}`)).body;
    const nothing = { available: false, pages: [], window: null, currency: null, total: 0 };
    expect(await read()).toMatchObject({ ...nothing, reason: 'analytics_not_connected' });
    const connection = await connectAnalytics(other.control, other.website.id);
    expect(await read()).toMatchObject({ ...nothing, reason: 'not_synced_yet', analytics_connected: true });
    await storeAnalytics(engine.clickhouse, connection, { days: { [THROUGH]: {} }, at: TEST_NOW });
    expect(await read('?start=2026-10-01&end=2026-10-02')).toMatchObject({
      ...{ ...nothing, reason: 'no_data_in_window' },
    });
  });
});

describe('analytics of /url', () => {
  const analytics = async (query: string, test = api) => (await test.read(`/url?${query}`)).body.analytics;

  test('is equal to ga/pages for the page, with its own gap', async () => {
    const { body } = await api.read('/ga/pages?hours=48&q=/blog');
    const { path: _path, ...figures } = body.pages[0];
    const answer = await analytics('path=/blog/a&hours=48');
    expect(answer).toEqual({
      ...{ available: true, reason: null, currency: 'EUR', window: body.window, ...figures },
      measurement_gap: {
        ...{ available: true, data_buffering: false, reason: null, days_compared: 2, ga_pageviews: 180 },
        ...{ log_human_page_requests: 700, unmeasured_pct: hundredths((100 * 520) / 700) },
        note: expect.any(String),
      },
    });
    expect(await analytics(`path=/blog/a&start=${dayOf(1)}&end=${THROUGH}`)).toEqual(answer);
    expect(await analytics('path=/none&hours=48')).toMatchObject({
      ...{ available: true, sessions: 0, pageviews: 0 },
      measurement_gap: { available: true, ga_pageviews: 0, log_human_page_requests: 0, unmeasured_pct: null },
    });
  });

  test('counts the logs of the days again after a change of their hours or a sync, and reads a sync at once', async () => {
    const { clickhouse } = engine;
    const dataVersions = createDataVersions();
    const statements: string[] = [];
    const reader: ClickHouseReader = {
      read(query) {
        statements.push(query.name);
        return clickhouse.read(query);
      },
    };
    const kept = await createTestApi({ reader, dataVersions });
    const websiteId = kept.website.id;
    const store = async (at: number) => {
      const row = storedRequest({
        ...{ website_id: websiteId, path: '/', status: 200, method: 'GET', file_type: 'html', timestamp: at },
        ...{ traffic_class: 'human', is_bot: false },
      });
      await insertStored(clickhouse, [row], { deduplicationToken: `kept ${at}` });
      const hour = Math.floor(at / HOUR_MS);
      dataVersions.raise([{ websiteId, firstHour: hour, lastHour: hour }]);
    };
    const connection = await connectAnalytics(kept.control, websiteId);
    const sync = async (sessions: number) => {
      const pages = [{ path: '/', sessions, pageviews: 1 }];
      await storeAnalytics(clickhouse, connection, {
        days: { [THROUGH]: { pages } },
        at: TEST_NOW + sessions,
      });
      dataVersions.raise([{ websiteId, keepsRows: true }]);
    };
    const read = async () => {
      statements.length = 0;
      const { sessions, measurement_gap } = await analytics('path=/', kept);
      const counted = statements.filter((name) => name.startsWith('web_analytics.'));
      return [sessions, measurement_gap.log_human_page_requests, counted.sort()];
    };
    const ofSync = ['web_analytics.days', 'web_analytics.page_days'];
    // The scan of the page's requests counts its views, too.
    const ofLogs = ['web_analytics.log_hours'];
    await sync(1);
    for (const at of [Date.parse(dayOf(1)), Date.parse(THROUGH) + 5 * HOUR_MS]) await store(at);
    expect(await read()).toEqual([1, 1, [...ofSync, ...ofLogs].sort()]);
    await store(TEST_NOW - HOUR_MS);
    expect(await read()).toEqual([1, 1, []]);
    await store(Date.parse(THROUGH) + 7 * HOUR_MS);
    expect(await read()).toEqual([1, 2, ofLogs]);
    await sync(2);
    expect(await read()).toEqual([2, 2, [...ofSync, ...ofLogs].sort()]);
  });

  test('returns the reason if it has no figures, and a failed section does not affect the others', async () => {
    const { clickhouse } = engine;
    const reader: ClickHouseReader = {
      read: (query) =>
        query.name === 'web_analytics.page_days'
          ? Promise.reject(new Error('wrong'))
          : clickhouse.read(query),
    };
    const other = await createTestApi({ reader });
    const nothing = (reason: string) => ({
      ...{ available: false, reason, sessions: null, window: null },
      measurement_gap: { available: false, reason },
    });
    expect(await analytics('path=/', other)).toMatchObject(nothing('analytics_not_connected'));
    const connection = await connectAnalytics(other.control, other.website.id);
    expect(await analytics('path=/', other)).toMatchObject(nothing('not_synced_yet'));
    await storeAnalytics(clickhouse, connection, { days: { [THROUGH]: {} }, at: TEST_NOW });
    expect(await analytics('path=/', other)).toMatchObject(nothing('lookup_failed'));
    expect(await analytics('path=/&start=2026-10-01&end=2026-10-02')).toMatchObject(
      nothing('no_data_in_window'),
    );
  });
});
