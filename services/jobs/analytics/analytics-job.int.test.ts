import { generateKeyPairSync, randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Credential, sealCredential } from '../../../shared/connections/credential.js';
import { readSourceSync } from '../../../shared/connections/source-syncs.js';
import { openKeyRing } from '../../../shared/control/sealing/key-ring.js';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { analyticsConnectionOf } from '../../../shared/reads/analytics/analytics-connection.js';
import { readStoredAnalyticsDays } from '../../../shared/reads/analytics/analytics-writes.js';
import { createSenders } from '../../../shared/reads/analytics/session-senders.js';
import {
  type AnalyticsHit,
  type AnalyticsServer,
  startAnalytics,
} from '../../../test/harness/analytics-server.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { analyticsJob } from './analytics-job.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LAST = '2026-11-18';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const senderOf = createSenders(loadReferrerList());
const dayBefore = (ago: number) => new Date(Date.parse(LAST) - ago * DAY_MS).toISOString().slice(0, 10);
const limited = {
  status: 429,
  body: { error: { message: 'Exhausted property tokens', status: 'RESOURCE_EXHAUSTED' } },
};

let engine: TestClickHouse;
let google: AnalyticsServer;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine.stop());
beforeEach(async () => {
  google = await startAnalytics('2026-11-21');
  return () => google.stop();
});

async function connected(
  given: Credential = { type: 'service_account', clientEmail: 'a@b.example', privateKey },
) {
  const { control } = await openTestPlane({ now: () => NOW });
  const log = createMemoryEventLog(1);
  const onCrash = (error: Error) => {
    throw error;
  };
  const ring = await openKeyRing({ log, randomBytes, onCrash });
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'A' }, 'admin'),
  );
  const { website } = granted(
    await control.execute({ type: 'createWebsite', organisationId, domain: 'www.example.com' }, 'admin'),
  );
  const kind = 'google-analytics';
  const place = { websiteId: website.id, kind, organisationId } as const;
  const credential = await sealCredential(given, place, { ring, randomBytes });
  granted(
    await control.execute(
      { type: 'connectSource', websiteId: website.id, kind, property: '123456789', credential },
      'admin',
    ),
  );
  let now = NOW;
  const job = analyticsJob({
    ...{ state: () => control.state(), ring, senderOf, fetch: google.fetch, wait: async () => {} },
  });
  const run = ({ requested = false, slow = 0 } = {}) =>
    job.run(website, {
      ...{ clickhouse: engine.clickhouse, logger: pino({ level: 'silent' }) },
      now: () => {
        now += 1 + slow;
        return now;
      },
      ...{ fetch: {} as never, planOf: {} as never, requested, details: '' },
      signal: AbortSignal.timeout(300_000),
    });
  const connection = analyticsConnectionOf(control.state(), website.id)!;
  return {
    ...{ job, run, website, connection, control, ring, organisationId },
    sync: () => readSourceSync(engine.clickhouse, connection),
    days: async () => (await readStoredAnalyticsDays(engine.clickhouse, connection)).map(({ day }) => day),
    rows: (table: string, columns: string) =>
      engine.clickhouse.read({
        name: 'test',
        sql: `SELECT toJSONString(tuple(${columns})) AS line FROM ${table} AS t
WHERE t.website_id = {w: String} AND (t.day, t.version) IN (SELECT day, max(version) FROM analytics_days WHERE website_id = {w: String} GROUP BY day)
ORDER BY line`,
        params: { w: website.id },
        row: z.object({ line: z.string() }).transform(({ line }) => JSON.parse(line)),
      }),
    later(ms: number) {
      now += ms;
    },
  };
}

const hit = (date: string, changed: Partial<AnalyticsHit> = {}): AnalyticsHit => ({
  ...{ date, landingPage: '/a', pagePath: '/a', sessionSource: 'google', sessionMedium: 'organic' },
  ...{ sessions: 4, engagedSessions: 3, keyEvents: 1, totalRevenue: 9.5, screenPageViews: 10 },
  ...{ activeUsers: 3, userEngagementDuration: 120 },
  ...changed,
});

describe('web analytics', () => {
  test('are stored by day, page and source, with the senders of sessions', async () => {
    const { run, days, rows, sync } = await connected();
    google.hits = [
      hit(LAST),
      hit(LAST, { sessionSource: 'chatgpt.com', sessionMedium: 'referral', totalRevenue: -2 }),
      hit(LAST, {
        pagePath: '/b',
        landingPage: '(not set)',
        sessionSource: '(direct)',
        sessionMedium: '(none)',
      }),
      hit('2026-11-19'),
    ];
    expect(await run()).toBeUndefined();
    expect(await days()).toEqual([LAST]);
    expect(await rows('analytics_days', 't.sessions, t.revenue, t.currency, t.time_zone')).toEqual([
      [12, 17, 'EUR', 'Europe/Berlin'],
    ]);
    expect(
      await rows(
        'analytics_pages',
        't.path, t.sessions, t.ai_sessions, t.search_sessions, t.pageviews, t.revenue',
      ),
    ).toEqual([
      ['/a', 8, 4, 4, 20, 7.5],
      ['/b', 0, 0, 0, 10, 0],
    ]);
    expect(await rows('analytics_sources', 't.source, t.medium, t.ai_operator, t.sessions')).toEqual([
      ['(direct)', '(none)', '', 4],
      ['chatgpt.com', 'referral', 'OpenAI', 4],
      ['google', 'organic', '', 4],
    ]);
    expect(await sync()).toMatchObject({
      ...{ dataThrough: LAST, lastSyncAt: expect.any(Number), problem: null },
      ...{ counts: { days: 1, days_left: 0 }, marks: { from: '2025-07-22' } },
    });
  });

  test('are read once a day, unsettled days again with it, and at once on request', async () => {
    const { run, later, rows } = await connected();
    google.hits = Array.from({ length: 10 }, (_, ago) => hit(dayBefore(ago)));
    await run();
    const calls = () => google.calls.splice(0).length;
    expect(calls()).toBe(1 + 10 * 3);
    later(HOUR_MS);
    await run();
    expect(calls()).toBe(0);
    await run({ requested: true });
    expect(calls()).toBe(1);
    later(DAY_MS);
    google.today = '2026-11-22';
    // Google changed the attribution; the totals stay.
    google.hits = google.hits.map((one) =>
      one.date === dayBefore(1) ? { ...one, sessionSource: 'perplexity' } : one,
    );
    await run();
    // Three of the four unsettled days have rows.
    expect(calls()).toBe(1 + 3 * 3);
    expect(await rows('analytics_sources', 't.day, t.ai_operator')).toContainEqual([
      dayBefore(1),
      'Perplexity',
    ]);
    // An old day that changed.
    google.hits[9] = hit(dayBefore(9), { sessions: 99 });
    await run({ requested: true });
    expect(calls()).toBe(1 + 3);
    expect(await rows('analytics_days', 't.day, t.sessions')).toContainEqual([dayBefore(9), 99]);
  });

  test('are read newest first, and an interrupted run is resumed', async () => {
    const { run, days, sync } = await connected();
    google.hits = Array.from({ length: 40 }, (_, ago) => hit(dayBefore(ago)));
    google.failures.push(
      ...Array.from({ length: 7 }, () => null),
      ...Array.from({ length: 5 }, () => limited),
    );
    expect(await run()).toBe('nothing_yet');
    expect(await days()).toEqual([dayBefore(1), LAST]);
    expect(await sync()).toMatchObject({
      ...{ lastSyncAt: null, dataThrough: LAST, problem: 'Google: Exhausted property tokens' },
      marks: { from: dayBefore(1) },
    });
    expect(await run()).toBeUndefined();
    expect(await days()).toHaveLength(40);
    expect(await sync()).toMatchObject({ counts: { days: 38, days_left: 0 }, problem: null });
  });

  test('of a long past are read in parts, and each run ends in time', async () => {
    const { run, days, sync } = await connected();
    google.hits = Array.from({ length: 9 }, (_, ago) => hit(dayBefore(ago)));
    // Each clock read takes a minute.
    await run({ slow: 60_000 });
    const first = (await days()).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(9);
    expect(await sync()).toMatchObject({ counts: { days: first, days_left: 9 - first } });
    for (let runs = 0; runs < 8; runs++) await run({ slow: 60_000 });
    expect(await days()).toHaveLength(9);
  });

  test('without any session are known to be empty', async () => {
    const { run, sync } = await connected();
    expect(await run()).toBeUndefined();
    expect(await sync()).toMatchObject({ dataThrough: LAST, problem: null, counts: { days: 0 } });
  });

  test('are not synced yet if their first day failed', async () => {
    const { run, sync } = await connected();
    google.hits = [hit(LAST)];
    google.failures.push(null, ...Array.from({ length: 5 }, () => ({ status: 500, body: '' })));
    expect(await run()).toBe('nothing_yet');
    expect(await sync()).toMatchObject({ dataThrough: null, lastSyncAt: null, marks: { from: null } });
  });

  test('report a revoked credential or a missing key', async () => {
    const revoked = await connected({
      ...{ type: 'oauth', clientId: 'c', clientSecret: 's', refreshToken: 'r' },
    });
    google.tokenFailures.push({ status: 400, body: { error: 'invalid_grant' } });
    expect(await revoked.run()).toBe('nothing_yet');
    expect(await revoked.sync()).toMatchObject({ problem: 'Google: invalid_grant', dataThrough: null });
    const shredded = await connected();
    await shredded.ring.shred(shredded.organisationId);
    expect(await shredded.run()).toBe('nothing_yet');
    expect((await shredded.sync())?.problem).toContain('the credential cannot be opened');
    expect(google.calls).toEqual([]);
  });

  test('of a recorded source are not requested, and without a connection there is no job', async () => {
    const { run, sync, job, control, website } = await connected({ type: 'recorded' });
    expect(await run()).toBeUndefined();
    expect(google.tokens).toEqual([]);
    expect(await sync()).toBeNull();
    expect(job.isFor?.(website)).toBe(true);
    const command = { type: 'disconnectSource', websiteId: website.id, kind: 'google-analytics' } as const;
    granted(await control.execute(command, 'admin'));
    expect(job.isFor?.(website)).toBe(false);
  });
});
