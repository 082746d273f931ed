import { generateKeyPairSync, randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Credential, sealCredential } from '../../../shared/connections/credential.js';
import { readSourceSync } from '../../../shared/connections/source-syncs.js';
import { openKeyRing } from '../../../shared/control/sealing/key-ring.js';
import { DAY_MS } from '../../../shared/durations.js';
import { searchConnectionOf } from '../../../shared/reads/search/search-connection.js';
import {
  readRecentPages,
  readSearchDays,
  readTopPages,
} from '../../../shared/reads/search/search-performance-sql.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import {
  type ConsoleRow,
  type SearchConsoleServer,
  startSearchConsole,
} from '../../../test/harness/search-console-server.js';
import { searchJob } from './search-job.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

let engine: TestClickHouse;
let google: SearchConsoleServer;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine.stop());
beforeEach(async () => {
  google = await startSearchConsole();
  return () => google.stop();
});

async function connected(
  property = 'sc-domain:example.com',
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
  const kind = 'google-search-console';
  const credential = await sealCredential(
    given,
    { websiteId: website.id, kind, organisationId },
    { ring, randomBytes },
  );
  granted(
    await control.execute(
      { type: 'connectSource', websiteId: website.id, kind, property, credential },
      'admin',
    ),
  );
  let now = NOW;
  const job = searchJob({
    state: () => control.state(),
    ring,
    fetch: google.fetch,
    wait: async () => {},
  });
  const run = () =>
    job.run(website, {
      ...{ clickhouse: engine.clickhouse, now: () => now++, logger: pino({ level: 'silent' }) },
      ...{ fetch: {} as never, planOf: {} as never, requested: false, details: '' },
      signal: AbortSignal.timeout(300_000),
    });
  const connection = searchConnectionOf(control.state(), website.id)!;
  return {
    job,
    run,
    website,
    connection,
    control,
    ring,
    organisationId,
    sync: () => readSourceSync(engine.clickhouse, connection),
    later(ms: number) {
      now += ms;
    },
  };
}

const row = (date: string, page: string, changed: Partial<ConsoleRow> = {}): ConsoleRow => ({
  ...{ date, page, query: 'shoes', impressions: 10, clicks: 2, position: 3 },
  ...changed,
});

const span = { from: '2026-11-01', to: '2026-11-30' };

describe('a search-performance source', () => {
  test('is stored by path: without other hosts, with query strings and schemes merged, positions weighted by impressions', async () => {
    const { run, connection, sync } = await connected();
    google.rows = [
      row('2026-11-17', 'https://www.example.com/a?x=1', { impressions: 30, position: 1 }),
      row('2026-11-17', 'http://example.com/a', { impressions: 10, position: 5, query: 'boots' }),
      row('2026-11-17', 'https://blog.example.com/a'),
      row('2026-11-18', 'https://www.example.com/grün b'),
    ];
    expect(await run()).toBeUndefined();
    expect(await readTopPages(engine.clickhouse, connection, { ...span, limit: 9 })).toEqual([
      { path: '/a', impressions: 40, clicks: 4, position: 2 },
      { path: '/gr%C3%BCn%20b', impressions: 10, clicks: 2, position: 3 },
    ]);
    // The property's own totals include rows that its pages lack.
    expect(await readSearchDays(engine.clickhouse, connection, span)).toMatchObject([
      { day: '2026-11-17', impressions: 50, clicks: 6 },
      { day: '2026-11-18', impressions: 10, clicks: 2 },
    ]);
    expect(await sync()).toMatchObject({
      ...{ dataThrough: '2026-11-18', lastSyncAt: expect.any(Number), problem: null },
      counts: { days: 2, days_left: 0 },
    });
    expect(google.tokens[0]!.get('assertion')?.split('.')).toHaveLength(3);
    expect(google.calls[0]!.path).toBe('/webmasters/v3/sites/sc-domain:example.com/searchAnalytics/query');
    expect(google.calls[0]!.body).toMatchObject({ dataState: 'final', type: 'web', dimensions: ['date'] });
  });

  test('costs one call if nothing is new, and a changed day replaces the stored one', async () => {
    const { run, connection } = await connected();
    google.rows = [
      row('2026-11-16', 'https://www.example.com/a'),
      row('2026-11-17', 'https://www.example.com/b'),
    ];
    await run();
    const queries = () => google.calls.filter(({ path }) => path.endsWith('query')).length;
    const before = queries();
    await run();
    expect(queries() - before).toBe(1);
    google.rows = [google.rows[0]!, row('2026-11-17', 'https://www.example.com/c', { impressions: 99 })];
    await run();
    const pages = await readTopPages(engine.clickhouse, connection, { ...span, limit: 9 });
    expect(pages.map(({ path, impressions }) => [path, impressions])).toEqual([
      ['/c', 99],
      ['/a', 10],
    ]);
  });

  test('is read page by page, to the last row', async () => {
    const { run, connection } = await connected();
    google.rows = Array.from({ length: 25_003 }, (_, index) =>
      row('2026-11-17', `https://www.example.com/${index}`),
    );
    await run();
    const pages = await readRecentPages(engine.clickhouse, connection, { minImpressions: 0, limit: 30_000 });
    expect(pages).toHaveLength(25_003);
    const starts = google.calls.flatMap(({ body }) =>
      body.dimensions?.join() === 'page' ? body.startRow : [],
    );
    expect(starts).toEqual([0, 10_000, 20_000]);
  });

  test('with absurd figures and days outside the span is stored within limits', async () => {
    const { run, connection, sync } = await connected();
    const absurd = { keys: ['2026-11-17'], impressions: 1e300, clicks: 1e300, position: 1e300 };
    const rows = [absurd, { ...absurd, keys: ['0001-01-01'] }, { ...absurd, keys: ['9999-12-31'] }];
    google.failures.push({ status: 200, body: { rows } });
    expect(await run()).toBeUndefined();
    expect(
      await readSearchDays(engine.clickhouse, connection, { from: '1970-01-01', to: '2149-01-01' }),
    ).toEqual([{ day: '2026-11-17', impressions: 1e12, clicks: 1e12, position: 1e6 }]);
    expect(await sync()).toMatchObject({ problem: null, dataThrough: '2026-11-17' });
  });

  test('is read newest first, in parts, and an interrupted run is resumed', async () => {
    const { run, connection, sync } = await connected();
    google.rows = Array.from({ length: 40 }, (_, index) =>
      row(new Date(NOW - (index + 3) * DAY_MS).toISOString().slice(0, 10), 'https://www.example.com/a'),
    );
    // After the totals, so two days are stored and the third fails.
    google.failures.push(
      ...Array.from({ length: 5 }, () => pass()),
      ...Array.from({ length: 5 }, () => limited()),
    );
    expect(await run()).toBe('nothing_yet');
    const wide = { from: '2026-10-01', to: '2026-11-30' };
    const stored = await readSearchDays(engine.clickhouse, connection, wide);
    expect(stored.map(({ day }) => day)).toEqual(['2026-11-17', '2026-11-18']);
    expect(await sync()).toMatchObject({ lastSyncAt: null, problem: 'Google: too fast' });
    expect(await run()).toBeUndefined();
    expect(await readSearchDays(engine.clickhouse, connection, wide)).toHaveLength(40);
    expect(await sync()).toMatchObject({ counts: { days: 38, days_left: 0 }, problem: null });
  });

  test.each([
    ['a limit by 429', () => limited()],
    [
      'a limit by 403',
      () => ({ status: 403, body: { error: { message: 'x', errors: [{ reason: 'rateLimitExceeded' }] } } }),
    ],
    ['a failure', () => ({ status: 503, body: {} })],
  ])('is asked again after %s', async (_name, failure) => {
    const { run, sync } = await connected();
    google.rows = [row('2026-11-17', 'https://www.example.com/a')];
    google.failures.push(failure(), failure());
    expect(await run()).toBeUndefined();
    expect(await sync()).toMatchObject({ problem: null, dataThrough: '2026-11-17' });
  });

  test.each([
    ['the token', { status: 400, body: { error: 'invalid_grant' } }, 'Google: invalid_grant'],
    [
      'the property',
      { status: 403, body: { error: { message: 'no permission', errors: [{ reason: 'forbidden' }] } } },
      'Google: no permission',
    ],
  ])('that refuses %s is requested once, and the problem is recorded', async (_name, failure, problem) => {
    const { run, sync } = await connected();
    google.failures.push(failure);
    expect(await run()).toBe('nothing_yet');
    expect(await sync()).toMatchObject({ lastSyncAt: null, dataThrough: null, problem });
    expect(google.calls.length + google.tokens.length).toBeLessThanOrEqual(2);
  });

  test('without its key is not requested', async () => {
    const { run, sync, ring, organisationId } = await connected();
    await ring.shred(organisationId);
    expect(await run()).toBe('nothing_yet');
    expect(google.calls).toEqual([]);
    expect((await sync())?.problem).toContain('the credential cannot be opened');
  });

  test('that is recorded is not requested, and its record stays', async () => {
    const { run, sync } = await connected('sc-domain:example.com', { type: 'recorded' });
    expect(await run()).toBeUndefined();
    expect(google.tokens).toEqual([]);
    expect(await sync()).toBeNull();
  });

  test('without a connection has no job', async () => {
    const { job, control, website } = await connected();
    expect(job.isFor?.(website)).toBe(true);
    granted(
      await control.execute(
        { type: 'disconnectSource', websiteId: website.id, kind: 'google-search-console' },
        'admin',
      ),
    );
    expect(job.isFor?.(website)).toBe(false);
  });
});

describe('inspections', () => {
  test('begin with the pages with the most impressions, are not repeated soon, and respect the daily quota', async () => {
    const { run, connection, website, later } = await connected('https://www.example.com/');
    google.rows = Array.from({ length: 100 }, (_, index) =>
      row('2026-11-17', `https://www.example.com/${index}`, { impressions: 1000 - index }),
    );
    google.inspections.set('https://www.example.com/0', {
      ...{ verdict: 'PASS', coverageState: 'Submitted and indexed', lastCrawlTime: '2026-11-10T08:00:00Z' },
      ...{ robotsTxtState: 'ALLOWED', indexingState: 'INDEXING_ALLOWED', pageFetchState: 'SUCCESSFUL' },
      googleCanonical: 'https://www.example.com/canonical',
    });
    await run();
    const asked = () =>
      google.calls.filter(({ path }) => path.includes('Inspection')).map(({ body }) => body.inspectionUrl);
    const first = Array.from({ length: 84 }, (_, index) => `https://www.example.com/${index}`);
    expect(asked()).toEqual(first);
    later(3_600_000);
    await run();
    expect(asked()).toEqual([
      ...first,
      ...Array.from({ length: 16 }, (_, index) => `https://www.example.com/${84 + index}`),
    ]);
    later(4 * DAY_MS);
    await run();
    expect(asked().slice(100, 102)).toEqual(['https://www.example.com/0', 'https://www.example.com/1']);
    const [stored] = await engine.clickhouse.read({
      name: 'test',
      sql: `SELECT verdict, coverage_state, engine_canonical, toString(last_crawl) AS last_crawl FROM index_inspections FINAL WHERE website_id = {w: String} AND path = '/0'`,
      params: { w: website.id },
      row: z.record(z.string(), z.string()),
    });
    expect(stored).toEqual({
      ...{ verdict: 'PASS', coverage_state: 'Submitted and indexed' },
      ...{ engine_canonical: 'https://www.example.com/canonical', last_crawl: '2026-11-10 08:00:00.000' },
    });
    expect(connection.property).toBe('https://www.example.com/');
  });
});

const limited = () => ({
  status: 429,
  body: { error: { message: 'too fast', status: 'RESOURCE_EXHAUSTED' } },
});
/** The service's own response. */
const pass = () => ({ status: 0, body: {} });
