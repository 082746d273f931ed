import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Alert, alertIdOf } from '../../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { insertAlerts } from '../../../../shared/reads/alerts/alert-writes.js';
import { insertAlert, testAlert } from '../../../../test/harness/alerts.js';
import {
  createTestApi,
  type RequestOptions,
  TEST_NOW,
  type TestApi,
  uncounted,
} from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { granted } from '../../../../test/harness/control-plane.js';
import { MOST_HASHES } from './selection-version.js';

/** Alerts of the detector in lists: newest, by incident, and in pages. */

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  test = await createTestApi({ clickhouse: engine.clickhouse, usage: uncounted });
});

const ago = (ms: number) => TEST_NOW - ms;
const fire = (given: Partial<Alert> = {}) =>
  insertAlert(engine.clickhouse, { websiteId: test.website.id, ...given });

/** Fires `count` alerts, a minute apart, the newest last. */
async function fireMany(count: number, newestAt: number): Promise<Alert[]> {
  const alerts = Array.from({ length: count }, (_, index) =>
    testAlert({
      websiteId: test.website.id,
      type: 'scraper',
      subject: `10.0.0.${index}`,
      createdAt: newestAt - (count - 1 - index) * MINUTE_MS,
    }),
  );
  await insertAlerts(engine.clickhouse, alerts);
  return alerts;
}

async function list(query = '', options: RequestOptions = {}) {
  const { status, body } = await test.read(`/alerts${query}`, options);
  expect(body.detail).toBeUndefined();
  expect(status).toBe(200);
  return body;
}
const idsOf = ({ alerts }: { alerts: { alert_id: string }[] }) => alerts.map(({ alert_id }) => alert_id);

async function acknowledge({ alertId }: Alert): Promise<void> {
  const path = `/alerts/${encodeURIComponent(alertId)}/acknowledge`;
  expect((await test.read(path, { method: 'POST' })).status).toBe(200);
}

describe('the newest alerts', () => {
  it('are listed as fired, a merged one once and in its last state', async () => {
    const older = await fire({ createdAt: ago(3 * HOUR_MS), details: { current_value: 12, list: [1] } });
    const merged = await fire({ type: 'fake_crawler', subject: 'Googlebot|x', createdAt: ago(2 * HOUR_MS) });
    await insertAlerts(engine.clickhouse, [{ ...merged, lastSeen: ago(HOUR_MS), occurrences: 3 }]);
    const body = await list();
    expect(body).toEqual({
      alerts: [
        {
          website_id: test.website.id,
          alert_id: merged.alertId,
          alert_type: 'fake_crawler',
          severity: 'warning',
          message: merged.message,
          details: merged.details,
          ...{ acknowledged: false, acknowledged_at: null, acknowledged_by: null },
          created_at: '2026-11-21T10:00:00.000Z',
          fingerprint: 'fake_crawler|warning|Googlebot|x',
          last_seen: '2026-11-21T11:00:00.000Z',
          occurrences: 3,
        },
        expect.objectContaining({ alert_id: older.alertId, details: { current_value: 12, list: [1] } }),
      ],
      count: 2,
      unacknowledged_count: 2,
    });
    expect(body.alerts[1]).not.toHaveProperty('occurrences');
    expect(body.alerts[1]).not.toHaveProperty('last_seen');
  });

  it('are narrowed by type, acknowledgement and limit; the unacknowledged count covers all alerts of 30 days', async () => {
    const old = await fire({ createdAt: ago(30 * DAY_MS + HOUR_MS) });
    const seen = await fire({ createdAt: ago(2 * DAY_MS) });
    const bot = await fire({ type: 'new_bot', subject: 'NewBot', createdAt: ago(DAY_MS) });
    await acknowledge(seen);
    expect(idsOf(await list('?type=error_rate'))).toEqual([seen.alertId, old.alertId]);
    expect(idsOf(await list('?acknowledged=true'))).toEqual([seen.alertId]);
    expect(idsOf(await list('?acknowledged=false'))).toEqual([bot.alertId, old.alertId]);
    const newest = await list('?limit=1');
    expect(idsOf(newest)).toEqual([bot.alertId]);
    expect(newest).toMatchObject({ count: 1, unacknowledged_count: 1 });
    expect((await list()).alerts.map(({ acknowledged }: { acknowledged: boolean }) => acknowledged)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('and acknowledgements of one website are in no other website’s list', async () => {
    const own = await fire();
    const foreign = { ...own, websiteId: test.foreignWebsite.id, message: 'theirs' };
    await insertAlerts(engine.clickhouse, [foreign]);
    await acknowledge(own);
    const theirs = await test.request(`/public/v1/websites/${test.foreignWebsite.id}/alerts`, {
      key: test.keys.foreign,
    });
    expect(theirs.body).toMatchObject({
      alerts: [{ website_id: test.foreignWebsite.id, message: 'theirs', acknowledged: false }],
      unacknowledged_count: 1,
    });
    expect((await list()).alerts).toMatchObject([
      {
        ...{ message: own.message, acknowledged: true },
        acknowledged_at: expect.stringMatching(/Z$/),
        acknowledged_by: expect.stringMatching(/ \(….{4}\)$/),
      },
    ]);
    expect((await test.request(`/public/v1/websites/${test.foreignWebsite.id}/alerts`)).status).toBe(404);
  });

  it('with a hostile subject or id are listed and acknowledged like others', async () => {
    const subject = "'; DROP TABLE alerts --|\u0000\\\t{x: String}\n__proto__";
    const hostile = await fire({ type: 'scraper', subject, details: JSON.parse('{"__proto__":1}') });
    await acknowledge(hostile);
    const [told] = (await list()).alerts;
    expect(told).toMatchObject({ fingerprint: `scraper|warning|${subject}`, acknowledged: true });
    for (const id of ["' OR 1=1 --", '%', '../../x', '__proto__', '\u{1F4A9}']) {
      const answer = await test.read(`/alerts/${encodeURIComponent(id)}/acknowledge`, { method: 'POST' });
      expect([404, 400]).toContain(answer.status);
    }
    expect((await list()).count).toBe(1);
  });

  it.each([
    ['?type=no_such', 'type'],
    ['?limit=501', 'limit'],
    ['?view=everything', 'view'],
    ['?page=2', 'page'],
    ['?selection_version=x', 'selection_version'],
    ['?hours=24&view=incidents', 'view'],
    ['?hours=24&acknowledged=false', 'acknowledged'],
    ['?hours=24&limit=10', 'limit'],
    ['?limit=50&start=2026-11-20&end=2026-11-21', 'limit'],
    ['?page_size=10', 'page_size'],
    ['?view=incidents&page_size=100', 'page_size'],
    ['?hours=24&page_size=101', 'page_size'],
    ['?hours=0', 'hours'],
    ['?start=2026-11-20&end=2026-11-21&page=2', 'selection_version'],
    ['?hours=24&selection_version=x', 'selection_version'],
  ])('with %s are refused with the name of the parameter', async (query, name) => {
    const { status, body } = await test.read(`/alerts${query}`);
    expect([status, body.detail.split(':')[0]]).toEqual([400, name]);
  });

  it('are not for the Free plan', async () => {
    const path = `/public/v1/websites/${test.freeWebsite.id}/alerts`;
    expect((await test.request(path, { key: test.keys.free })).status).toBe(403);
  });
});

describe('incidents', () => {
  it('group alerts that repeat within 6 hours', async () => {
    const times = {
      first_request_at: '2026-11-21T02:58:03.118Z',
      last_request_at: '2026-11-21T03:59:58.401Z',
    };
    const first = await fire({
      ...{ createdAt: ago(9 * HOUR_MS), lastSeen: ago(8 * HOUR_MS), occurrences: 4 },
      details: { ...times, began_after: '2026-11-21T02:45:00.000Z' },
    });
    const joined = await fire({
      ...{ createdAt: ago(2 * HOUR_MS), lastSeen: ago(90 * MINUTE_MS), occurrences: 2 },
      details: { last_request_at: '2026-11-21T10:29:11.005Z' },
    });
    const before = await fire({ createdAt: ago(16 * HOUR_MS) });
    const other = await fire({ type: 'new_bot', subject: 'NewBot', createdAt: ago(3 * HOUR_MS) });
    await acknowledge(joined);
    await acknowledge(other);
    const body = await list('?view=incidents');
    expect(body).toMatchObject({ count: 3, unacknowledged_count: 2, unacknowledged_alert_count: 2 });
    expect(body).not.toHaveProperty('alerts');
    expect(body.incidents[0]).toEqual({
      fingerprint: 'error_rate|warning|',
      alert_type: 'error_rate',
      severity: 'warning',
      subject: '',
      title: 'More requests than usual are answered with errors',
      first_seen: '2026-11-21T03:00:00.000Z',
      last_seen: '2026-11-21T10:30:00.000Z',
      began_after: '2026-11-21T02:45:00.000Z',
      first_request_at: times.first_request_at,
      last_request_at: '2026-11-21T10:29:11.005Z',
      duration_seconds: 7.5 * 3600,
      count: 2,
      alerts: [joined.alertId, first.alertId],
      latest_alert: expect.objectContaining({ alert_id: joined.alertId, acknowledged: true }),
      status: 'active',
      acknowledged_all: false,
    });
    expect(body.incidents[1]).toMatchObject({ subject: 'NewBot', status: 'cleared', acknowledged_all: true });
    expect(body.incidents[2]).toMatchObject({ alerts: [before.alertId], status: 'cleared' });

    const fingerprints = async (query: string) =>
      (await list(`?view=incidents&${query}`)).incidents.map(({ alerts }: { alerts: string[] }) => alerts[0]);
    expect(await fingerprints('acknowledged=true')).toEqual([other.alertId]);
    expect(await fingerprints('acknowledged=false')).toEqual([joined.alertId, before.alertId]);
    expect(await fingerprints('type=new_bot')).toEqual([other.alertId]);
    expect(await fingerprints('limit=1')).toEqual([joined.alertId]);
  });

  it('of a suppressed bot or its family stay active for 24 hours; earlier cleared ones stay cleared', async () => {
    await fire({ type: 'crawler_errors', subject: 'Google', createdAt: ago(HOUR_MS) });
    await fire({ type: 'fake_crawler', subject: 'Googlebot', createdAt: ago(5 * HOUR_MS) });
    const statuses = async () =>
      (await list('?view=incidents')).incidents.map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['active', 'cleared']);
    await test.read('/bots/googlebot/suppress', { method: 'POST' });
    expect(await statuses()).toEqual(['active', 'cleared']);
    test.advance(4 * HOUR_MS);
    expect(await statuses()).toEqual(['active', 'cleared']);
  });
});

describe('the alerts of a window', () => {
  it('are those created in it, including the start and excluding the end', async () => {
    const at = Date.parse('2026-11-20T00:00:00Z');
    for (const createdAt of [at - 1, at, at + DAY_MS - 1, at + DAY_MS]) await fire({ createdAt });
    const body = await list('?start=2026-11-20&end=2026-11-20');
    expect(body.alerts.map(({ created_at }: { created_at: string }) => created_at)).toEqual([
      '2026-11-20T23:59:59.999Z',
      '2026-11-20T00:00:00.000Z',
    ]);
    expect(body).toMatchObject({
      count: 2,
      total: 2,
      page: 1,
      page_size: 100,
      total_pages: 1,
      window: { start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z', hours: 24 },
      selection_version: expect.any(String),
    });
  });

  it('in pages are those at the time of the first page, regardless of arrivals and merges', async () => {
    const alerts = await fireMany(7, ago(10 * MINUTE_MS));
    const window = '?hours=24&page_size=3';
    const first = await list(window);
    const newestFirst = alerts.map(({ alertId }) => alertId).reverse();
    expect(first).toMatchObject({ total: 7, total_pages: 3 });
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 3));

    // One alert of now, and one with an old timestamp that is stored only now, between those of the first and the second page.
    await fire({ type: 'new_bot', createdAt: ago(MINUTE_MS) });
    await fire({ type: 'new_bot', createdAt: alerts[3]!.createdAt + 1 });
    await insertAlerts(engine.clickhouse, [{ ...alerts[0]!, lastSeen: ago(0), occurrences: 9 }]);
    await acknowledge(alerts[1]!);
    test.advance(20 * MINUTE_MS);

    const held = `${window}&selection_version=${first.selection_version}`;
    expect(idsOf(await list(held))).toEqual(newestFirst.slice(0, 3));
    const second = await list(`${held}&page=2`);
    expect(idsOf(second)).toEqual(newestFirst.slice(3, 6));
    expect(second).toMatchObject({ total: 7, window: first.window });
    expect(second.alerts[2]).toMatchObject({ acknowledged: true });
    const third = await list(`${window}&selection_version=${second.selection_version}&page=3`);
    expect(third.alerts).toMatchObject([{ alert_id: newestFirst[6], occurrences: 9 }]);
    expect((await list(`${held}&page=4`)).alerts).toEqual([]);
    expect((await list(window)).total).toBe(9);
  });

  it('that exceed a version keep their pages too, or the call fails with a conflict', async () => {
    const alerts = await fireMany(MOST_HASHES + 20, ago(10 * MINUTE_MS));
    const window = '?start=2026-11-20T00:00:00Z&end=2026-11-22T00:00:00Z';
    const first = await list(window);
    expect(first).toMatchObject({ total: MOST_HASHES + 20, count: 100 });
    await fire({ type: 'new_bot', createdAt: alerts.at(-150)!.createdAt + 1 });
    const held = `${window}&selection_version=${first.selection_version}`;
    const all = [first, await list(`${held}&page=2`), await list(`${held}&page=3`)].flatMap(idsOf);
    expect(all).toEqual(alerts.map(({ alertId }) => alertId).reverse());

    await fire({ type: 'new_bot', createdAt: alerts[3]!.createdAt + 1 });
    const moved = await test.read(`/alerts${held}&page=3`);
    expect([moved.status, moved.body.detail]).toEqual([409, expect.stringContaining('begin again')]);
  });

  it('are narrowed by type, and their version is refused for other selections', async () => {
    await fireMany(3, ago(10 * MINUTE_MS));
    const bot = await fire({ type: 'new_bot', createdAt: ago(HOUR_MS) });
    const bots = await list('?hours=24&type=new_bot');
    expect(idsOf(bots)).toEqual([bot.alertId]);
    for (const query of ['?hours=24', '?hours=48&type=new_bot']) {
      const other = await test.read(`/alerts${query}&selection_version=${bots.selection_version}`);
      expect([other.status, other.body.detail]).toEqual([400, expect.stringMatching(/^selection_version: /)]);
    }
    const theirs = `/public/v1/websites/${test.foreignWebsite.id}/alerts?hours=24&type=new_bot`;
    const foreign = await test.request(`${theirs}&selection_version=${bots.selection_version}`, {
      key: test.keys.foreign,
    });
    expect(foreign.status).toBe(400);
  });

  it('are empty for a website without alerts', async () => {
    expect(await list('?hours=1')).toMatchObject({ alerts: [], count: 0, total: 0, total_pages: 0 });
  });
});

describe('the settings', () => {
  it('are the defaults or the operator’s values, with only the host of webhooks', async () => {
    expect((await test.read('/alerts/config')).body).toMatchObject({
      config: { alerts_enabled: true, min_email_severity: 2, webhook_urls: [] },
      baseline_status: { status: 'building', data_points: 0, ready: false },
    });
    granted(
      await test.control.execute(
        {
          type: 'changeAlertSettings',
          websiteId: test.website.id,
          min_email_severity: 3,
          webhook_urls: ['https://user:secret@hooks.example.com:8443/services/secret?token=secret'],
        },
        'admin',
      ),
    );
    const { body, text } = await test.read('/alerts/config', { key: test.keys.read });
    expect(body.config).toMatchObject({
      min_email_severity: 3,
      webhook_urls: ['https://hooks.example.com:8443/…'],
    });
    expect(text).not.toContain('secret');
    expect(test.logged()).not.toContain('services/secret');
  });
});

it('an id depends only on the finding, so that a repeated write stores nothing twice', async () => {
  const alert = testAlert({ websiteId: test.website.id });
  expect(alert.alertId).toBe(alertIdOf(alert));
  for (let repeat = 0; repeat < 2; repeat += 1) await insertAlerts(engine.clickhouse, [alert]);
  expect((await list()).count).toBe(1);
});
