import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { givenFiles } from '../../../deploy/admin/server/given-files.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import { createTestApi, TEST_NOW, type TestApi, uncounted } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { checkWebsite, type Night, websiteOf } from '../../../test/harness/jobs/night.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import type { JobResult } from '../runner/website-job.js';
import { checks } from './all-checks.js';

/** The job on the engine, and the API's responses about it. */

let engine: TestClickHouse;
let api: TestApi;
let sent: Alert[];
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  api = await createTestApi({ clickhouse: engine.clickhouse, usage: uncounted });
  sent = [];
});

const website = () => websiteOf(api);
const check = (night: Night): Promise<JobResult> => checkWebsite(engine, website(), { sent, ...night });

async function setRobots(content: string, at: number): Promise<void> {
  const fetch = givenFiles(new Map([['/robots.txt', Buffer.from(content)]]));
  const deps = { fetch, clickhouse: engine.clickhouse, now: () => at, signal: new AbortController().signal };
  await refreshRobots(deps, website());
}

/** A website that has sent logs for two days. */
const crawl = (count: number, given: object = {}) =>
  insertStored(
    engine.clickhouse,
    [
      storedRequest({ website_id: api.website.id, timestamp: TEST_NOW - 2 * DAY_MS }),
      ...Array.from({ length: count }, (_, n) =>
        storedRequest({
          website_id: api.website.id,
          timestamp: TEST_NOW - HOUR_MS - n * MINUTE_MS,
          path: `/page-${n % 20}`,
          ...googlebot,
          ...given,
        }),
      ),
    ],
    { deduplicationToken: `${api.website.id} ${count}` },
  );

const listed = async () => (await api.read('/checks')).body;
const one = async (id: string) => (await listed()).checks.find((each: { id: string }) => each.id === id);
const history = async (query = '') => (await api.read(`/checks/history${query}`)).body;

describe('before the first evaluation', () => {
  test('all verdicts are unknown, and none passes', async () => {
    expect(await listed()).toEqual({
      ...{ checks: [], summary: {}, not_reached: null, evaluated: false, evaluated_at: null },
    });
    expect(await history()).toEqual({ history: {}, changes: [], days: 30 });
  });

  test('a website without logs is evaluated, and again soon', async () => {
    expect(await check({ at: TEST_NOW })).toBe('nothing_yet');
    expect((await listed()).evaluated).toBe(true);
  });
});

describe('an evaluation', () => {
  test('lists the most important fault first, and counts by verdict', async () => {
    await crawl(60, { status: 503 });
    await setRobots('User-agent: *\nDisallow: /', TEST_NOW - HOUR_MS);
    expect(await check({ at: TEST_NOW, files: { '/': '<html><title>Teapots</title>' } })).toBe('nothing_yet');
    const { checks: listedChecks, summary, evaluated, evaluated_at } = await listed();
    expect([evaluated, evaluated_at]).toEqual([true, '2026-11-21T12:00:00.000Z']);
    const order = ['fail', 'warn', 'unknown', 'pass', 'not_applicable'];
    const ranks = listedChecks.map(({ verdict, weight }: { verdict: string; weight: number }) => [
      order.indexOf(verdict),
      -weight,
    ]);
    expect(ranks).toEqual(ranks.toSorted(([a, b]: number[], [c, d]: number[]) => a! - c! || b! - d!));
    expect(listedChecks.map(({ id }: { id: string }) => id).sort()).toEqual(
      checks.map(({ id }) => id).sort(),
    );
    expect(Object.values(summary).reduce((sum: number, count) => sum + Number(count), 0)).toBe(checks.length);
    expect(await one('robots_allows_search')).toEqual({
      id: 'robots_allows_search',
      title: 'robots.txt allows search engines',
      category: 'crawling',
      verdict: 'fail',
      weight: 10,
      evidence: {
        note: expect.stringContaining('Googlebot and bingbot'),
        outcome: 'ok',
        rules: { Googlebot: 'Disallow: /', bingbot: 'Disallow: /' },
      },
      updated_at: '2026-11-21T12:00:00.000Z',
      previous_verdict: null,
      flipped_at: null,
    });
    expect(await one('crawler_server_errors')).toMatchObject({
      verdict: 'fail',
      evidence: { crawler_requests: 60, requests: 60, share_pct: 100 },
    });
    expect(await one('title')).toMatchObject({
      verdict: 'warn',
      evidence: { outcome: 'ok', final_url: 'https://example.com/' },
    });
    expect(await one('unknown_path')).toMatchObject({
      verdict: 'pass',
      evidence: { outcome: 'missing', status: 404 },
    });
    expect(await one('sitemap_found')).toMatchObject({
      verdict: 'unknown',
      evidence: { outcome: 'not_checked' },
    });
  });

  test('has the same figures as the API', async () => {
    await crawl(100);
    await crawl(30, { status: 301, timestamp: TEST_NOW - 2 * HOUR_MS });
    await crawl(25, { query: 'a=1', timestamp: TEST_NOW - 3 * HOUR_MS, time_taken_ms: 1_900 });
    await check({ at: TEST_NOW });
    const seo = (await api.read('/seo?hours=168')).body;
    const access = (await api.read('/bots/access?hours=168')).body.bots[0];
    expect((await one('crawl_redirects')).evidence).toMatchObject({
      crawler_requests: seo.crawler_requests,
      requests: seo.status_3xx,
    });
    expect((await one('crawl_parameters')).evidence).toMatchObject({ crawler_requests: 155, requests: 25 });
    expect((await one('crawler_response_time')).evidence.mean_ms).toBe(Math.round(seo.avg_response_time_ms));
    expect((await one('search_turned_away')).evidence).toMatchObject({
      requests: access.served.verified,
      rejected: 0,
    });
    expect((await one('slow_templates')).evidence.templates[0]).toMatchObject({
      pattern: expect.stringContaining('/page'),
    });
  });

  test('sends no request if the installation fetches nothing', async () => {
    await check({ at: TEST_NOW });
    for (const id of ['home_answers', 'title', 'robots_valid', 'sitemap_found'])
      expect(await one(id)).toMatchObject({ verdict: 'unknown', evidence: { outcome: 'not_checked' } });
  });

  test('covers its own website alone', async () => {
    await check({ at: TEST_NOW });
    const path = `/public/v1/websites/${api.foreignWebsite.id}/checks`;
    expect((await api.request(path, { key: api.keys.foreign })).body.evaluated).toBe(false);
  });
});

describe('night by night', () => {
  const nights = [3, 2, 1, 0].map((ago) => TEST_NOW - ago * DAY_MS);
  const page = { '/': '<html><title>Teapots, made by hand</title>' };
  const noindex = { '/': '<html><meta name=robots content=noindex>' };

  test('the last verdict of a day counts, and changes are listed, also to unknown', async () => {
    await check({ at: nights[0]!, files: page });
    await check({ at: nights[1]!, files: noindex });
    await check({ at: nights[1]! + HOUR_MS, files: page });
    await check({ at: nights[2]!, files: {} });
    await check({ at: nights[3]!, files: noindex });
    const { history: days, changes } = await history();
    expect(days.home_indexable).toEqual([
      { date: '20261118', verdict: 'pass' },
      { date: '20261119', verdict: 'pass' },
      { date: '20261120', verdict: 'unknown' },
      { date: '20261121', verdict: 'fail' },
    ]);
    expect(changes.filter(({ check_id }: { check_id: string }) => check_id === 'home_indexable')).toEqual([
      { check_id: 'home_indexable', date: '20261121', from: 'unknown', to: 'fail' },
      { check_id: 'home_indexable', date: '20261120', from: 'pass', to: 'unknown' },
    ]);
    expect(await one('home_indexable')).toMatchObject({
      verdict: 'fail',
      previous_verdict: 'unknown',
      flipped_at: new Date(nights[3]!).toISOString(),
    });
    expect(await one('logs_flowing')).toMatchObject({ previous_verdict: null, flipped_at: null });
    const short = await history('?days=1');
    expect(short.days).toBe(1);
    expect(short.history.home_indexable).toEqual([{ date: '20261121', verdict: 'fail' }]);
    expect(short.changes).toContainEqual({
      check_id: 'home_indexable',
      date: '20261121',
      from: 'unknown',
      to: 'fail',
    });
    expect((await history('?days=900')).days).toBe(90);
    expect((await history('?days=0')).days).toBe(1);
  });

  test('a new failure is an alert, which lasts as long as the failure', async () => {
    await check({ at: nights[0]!, files: noindex });
    expect(sent).toEqual([]);
    await check({ at: nights[1]!, files: page });
    await check({ at: nights[2]!, files: noindex });
    await check({ at: nights[3]!, files: noindex });
    const own = sent.filter(({ subject }) => subject === 'home_indexable');
    expect(own.map(({ alertId, occurrences }) => [alertId, occurrences])).toEqual([
      [own[0]!.alertId, 1],
      [own[0]!.alertId, 2],
    ]);
    const { alerts } = (await api.read('/alerts?type=check_failed')).body;
    expect(
      alerts.filter(({ fingerprint }: { fingerprint: string }) => fingerprint.endsWith('|home_indexable')),
    ).toMatchObject([
      {
        alert_type: 'check_failed',
        severity: 'critical',
        message:
          'The nightly check “The home page is indexable” fails. The home page tells search engines not to list it.',
        details: { check_id: 'home_indexable', previous_verdict: 'pass', weight: 10 },
        fingerprint: 'check_failed|critical|home_indexable',
        occurrences: 2,
      },
    ]);
  });

  test('an evaluation that is repeated after an interruption sends and stores each alert once', async () => {
    await check({ at: nights[0]!, files: page });
    const cut = check({
      at: nights[1]!,
      files: noindex,
      sendAlerts: () => Promise.reject(new Error('the log is away')),
    });
    await expect(cut).rejects.toThrow('the log is away');
    expect((await one('home_indexable')).verdict).toBe('pass');
    await check({ at: nights[1]! + MINUTE_MS, files: noindex });
    const own = sent.filter(({ subject }) => subject === 'home_indexable');
    expect(own).toMatchObject([{ createdAt: nights[1], occurrences: 1 }]);
    const { alerts } = (await api.read('/alerts?type=check_failed')).body;
    expect(
      alerts.filter(({ fingerprint }: { fingerprint: string }) => fingerprint.endsWith('|home_indexable')),
    ).toHaveLength(1);
    expect((await history()).history.home_indexable).toHaveLength(2);
  });

  test('sends nothing if alerts are switched off', async () => {
    await check({ at: nights[0]!, files: page, isAlerted: false });
    await check({ at: nights[1]!, files: noindex, isAlerted: false });
    expect(sent).toEqual([]);
    expect((await api.read('/alerts?type=check_failed')).body.alerts).toEqual([]);
    expect((await one('home_indexable')).verdict).toBe('fail');
  });
});
