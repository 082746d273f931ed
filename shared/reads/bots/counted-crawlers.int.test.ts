import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCrawlHealth } from '../../../services/jobs/crawls/health/crawl-health.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { seo } from '../seo/seo.js';
import { statusConsistency } from '../seo/status-consistency.js';
import { urlPatterns } from '../url-patterns/url-patterns.js';

/** Verified requests decide the answers about search crawlers. Without any, claims decide, and the answer states it. */

const NOW = Date.UTC(2026, 10, 21, 15);
const all = { params_filter: 'all' } as const;
const claim = { bot_verification: 'pending', client_ip: '192.0.2.7', country: 'CN' } as const;
const noMethod = { ...claim, bot_verification: 'unverifiable' } as const;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  let log_index = 0;
  const crawls = (website_id: string, times: number, given: Partial<StoredRequest>) =>
    Array.from({ length: times }, (_, n) =>
      storedRequest({
        ...googlebot,
        ...{ website_id, timestamp: NOW - HOUR_MS, log_index: log_index++, path: `/p/${n % 4}` },
        ...given,
      }),
    );
  const clean = { status: 200 };
  const broken = { ...claim, status: 500 };
  const rows = [
    ...crawls('mixed', 30, clean),
    ...crawls('mixed', 500, broken),
    ...crawls('mixed', 47, { ...noMethod, status: 404 }),
    ...crawls('mixed', 8, { ...broken, bot_verification: 'spoofed', traffic_class: 'spoofed_bot' }),
    // The previous period: as many verified requests as now, and many claims.
    ...crawls('mixed', 30, { ...clean, timestamp: NOW - 2 * DAY_MS }),
    ...crawls('mixed', 9, { ...clean, timestamp: NOW - 5 * DAY_MS }),
    ...crawls('claimed', 40, broken),
    ...crawls('claimed', 40, {
      ...noMethod,
      status: 500,
      path: '/x',
      bot_name: 'Bravebot',
      bot_family: 'Brave',
    }),
    // One crawler is verified, and the other cannot be verified.
    ...crawls('two', 20, clean),
    ...crawls('two', 20, { ...noMethod, status: 500, path: '/x', bot_name: 'Bravebot', bot_family: 'Brave' }),
    ...crawls('refused', 10, { status: 403, path: '/members' }),
    ...crawls('refused', 10, { status: 410, path: '/gone' }),
    ...crawls('refused', 10, { status: 404, path: '/old' }),
    ...crawls('refused', 5, { status: 404, path: '/removed' }),
    ...crawls('refused', 5, { status: 410, path: '/removed' }),
    ...crawls('refused', 10, { status: 200, path: '/fine' }),
  ];
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'crawls', retentionDays: 25_000 });
}, 180_000);
afterAll(() => engine?.stop());

const scopeOf = (websiteId: string, filters: object = {}) => ({
  ...{ websiteId, filters },
  window: { start: NOW - DAY_MS, end: NOW },
});
const consistencyOf = (websiteId: string, given: object = {}, filters: object = {}) =>
  statusConsistency.read(engine.clickhouse, scopeOf(websiteId, filters), {
    ...{ ...all, min_requests: 3, limit: 50 },
    ...given,
  });
const patternsOf = (websiteId: string, given: object = {}, filters: object = {}) =>
  urlPatterns.read(engine.clickhouse, scopeOf(websiteId, filters), { ...all, min_urls: 1, ...given });

describe('unproved claims, next to verified requests', () => {
  const counted = { crawl_basis: 'verified', verified_requests: 30, unproved_requests: 547 };

  test('make no page fail', async () => {
    const { summary, pages, ...rest } = await consistencyOf('mixed');
    expect(rest).toMatchObject(counted);
    expect(summary).toMatchObject({ total_pages_checked: 4, critical: 0, unsteady: 0, healthy: 4 });
    expect(pages).toEqual([]);
  });

  test('raise no flag of a pattern and are not counted as crawls', async () => {
    const { patterns, ...rest } = await patternsOf('mixed');
    expect(rest).toMatchObject({ ...counted, total_crawl_requests: 30 });
    expect(patterns).toMatchObject([
      { pattern: '/p/{number}', total_requests: 30, status_5xx: 0, flags: [] },
    ]);
  });

  test('change no figure of checks and reports, in this period and the previous one', async () => {
    expect(await readCrawlHealth(engine.clickhouse, scopeOf('mixed'))).toMatchObject({
      ...{ basis: 'verified', requests: 30, requestsBefore: 30, unproved: 547 },
      ...{ serverErrors: 0, notFound: 0, consistency: { checked: 4, unsteady: 0, worst: [] } },
    });
  });

  test('are not counted if a filter leaves no verified request', async () => {
    const other = { crawl_basis: 'verified', verified_requests: 0, unproved_requests: 547 };
    const abroad = { countries: ['CN'] };
    expect(await consistencyOf('mixed', {}, abroad)).toMatchObject({ ...other, pages: [] });
    expect(await patternsOf('mixed', {}, abroad)).toMatchObject({
      ...{ ...other, total_crawl_requests: 0, patterns: [] },
    });
    expect(await patternsOf('mixed', { params_filter: 'with_params' })).toMatchObject({
      ...{ crawl_basis: 'verified', patterns: [] },
    });
  });

  test('make the crawlers mixed, and not verified', async () => {
    expect(await seo.read(engine.clickhouse, scopeOf('mixed'), all)).toMatchObject({
      ...{ verification_status: 'mixed', crawler_requests: 577, verified_requests: 30 },
    });
  });
});

describe('without verified requests', () => {
  test('claims count, and the answers state it', async () => {
    const said = { crawl_basis: 'unproved', verified_requests: 0, unproved_requests: 80 };
    expect(await consistencyOf('claimed')).toMatchObject({ ...said, summary: { critical: 5, unsteady: 5 } });
    const { patterns, ...rest } = await patternsOf('claimed');
    expect(rest).toMatchObject({ ...said, total_crawl_requests: 80 });
    for (const { flags } of patterns) expect(flags).toContain('server_errors');
    expect(await readCrawlHealth(engine.clickhouse, scopeOf('claimed'))).toMatchObject({
      ...{ basis: 'unproved', requests: 80, serverErrors: 80 },
    });
  });

  test('a filter by verified requests finds none', async () => {
    const proved = { crawl_basis: 'verified', verified_requests: 0, pages: [] };
    expect(await consistencyOf('claimed', {}, { botVerified: true })).toMatchObject(proved);
  });

  test('a crawler that cannot be verified is judged by its claims only if the question names it', async () => {
    expect(await consistencyOf('two')).toMatchObject({ crawl_basis: 'verified', pages: [] });
    for (const answer of [
      await consistencyOf('two', { bot: 'Bravebot' }),
      await consistencyOf('two', {}, { botFamily: 'Brave' }),
    ])
      expect(answer).toMatchObject({ crawl_basis: 'unproved', pages: [{ path: '/x', status_5xx: 20 }] });
  });
});

test('a page that always rejects a verified crawler fails; only 404 and 410 count as removed pages', async () => {
  const summary = { total_pages_checked: 5, critical: 4, unsteady: 1 };
  expect(await consistencyOf('refused')).toMatchObject({ summary });
  const { consistency } = await readCrawlHealth(engine.clickhouse, scopeOf('refused'));
  const worst = [{ path: '/members', statuses: { 403: 10 } }];
  expect(consistency).toMatchObject({ checked: 5, unsteady: 1, worst });
});
