import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';
import { connectSearch, storeSearch } from '../../../../test/harness/stored-search.js';

/** Cases beyond the truth tests: chosen names and paths, a connected source, parameters. */

const HOUR = 3_600_000;
const LONG_PATHS = 40;

const shown = ['/fetched', '/trained', '/spoofed', '/unknown', '/hardly'].map((path, index) => ({
  path,
  impressions: index === 4 ? 6 : 900 - index,
  clicks: 9,
  position: 3.5,
}));

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ clickhouse: engine.clickhouse });
  const connection = await connectSearch(test.control, test.website.id);
  await storeSearch(engine.clickhouse, connection, { at: TEST_NOW, pages: { '2026-11-18': shown } });
  const foreign = await connectSearch(test.control, test.foreignWebsite.id, {
    property: 'https://www.example.org/',
  });
  await storeSearch(engine.clickhouse, foreign, { at: TEST_NOW, pages: { '2026-11-18': shown } });
  const at = { website_id: test.website.id, timestamp: TEST_NOW - HOUR };
  const crawler = (bot_name: string, ai_intent: 'training' | 'search' | 'fetcher', path: string) => ({
    ...at,
    path,
    is_bot: true,
    traffic_class: 'ai_bot' as const,
    bot_category: 'ai' as const,
    bot_name,
    bot_family: 'OpenAI',
    bot_operator: 'OpenAI',
    ai_intent,
    bot_verification: 'verified' as const,
  });
  const claim = <Row>(row: Row) => ({
    ...row,
    bot_verification: 'pending' as const,
    client_ip: '192.0.2.99',
  });
  const rows = [
    crawler('ChatGPT-User', 'fetcher', '/fetched'),
    crawler('GPTBot', 'training', '/trained'),
    { ...crawler('ChatGPT-User', 'fetcher', '/spoofed'), bot_verification: 'spoofed' as const },
    claim(crawler('ChatGPT-User', 'fetcher', '/unknown')),
    claim({ ...crawler('ChatGPT-User', 'fetcher', '/unknown'), website_id: test.foreignWebsite.id }),
    ...['__proto__', 'time_bucket', 'other', 'constructor'].map((name) => crawler(name, 'search', '/named')),
    // A declared AI agent whose operator and intent no table knows.
    {
      ...crawler('ExteContextCrawl', 'search', '/named'),
      bot_family: 'ExteContextCrawl',
      bot_operator: '',
      ai_intent: '' as const,
      bot_verification: 'unverifiable' as const,
    },
    {
      ...crawler('OAI-SearchBot', 'search', '/named'),
      bot_verification: 'spoofed' as const,
      traffic_class: 'spoofed_bot' as const,
    },
    ...Array.from({ length: LONG_PATHS }, (_, index) => ({
      ...at,
      path: `/${index}-`.padEnd(8_000, 'x'),
      ai_operator: index === 0 ? '__proto__' : 'OpenAI',
    })),
    { ...at, timestamp: at.timestamp + 60_000, path: '/next' },
  ];
  await insertStored(
    engine.clickhouse,
    rows.map((row, log_index) => storedRequest({ ...row, log_index })),
    { deduplicationToken: 'rows' },
  );
});
afterAll(() => engine?.stop());

/** Repeats the call until the second half is ready. */
async function readWhole(path: string) {
  return vi.waitFor(
    async () => {
      const { body } = await test.read(path);
      expect(body.data_buffering).toBe(false);
      return body;
    },
    { timeout: 60_000, interval: 200 },
  );
}

describe('llms', () => {
  it('has columns for crawlers with any name, and counts names that it uses itself in other', async () => {
    const { body } = await test.read('/llms');
    expect(body.bot_names).toEqual([
      'ChatGPT-User',
      'ExteContextCrawl',
      'GPTBot',
      '__proto__',
      'constructor',
    ]);
    const row = new Map(
      Object.entries(
        body.bot_hourly.find(
          (each: object) => Object.hasOwn(each, 'other') && (each as { other: number }).other > 0,
        ),
      ),
    );
    expect(row.get('time_bucket')).toBe('2026-11-21T11:00:00.000Z');
    expect([...row].filter(([name]) => name !== 'time_bucket').sort()).toEqual([
      ['ChatGPT-User', 2],
      ['ExteContextCrawl', 1],
      ['GPTBot', 1],
      ['__proto__', 1],
      ['constructor', 1],
      ['other', 2],
    ]);
    expect(body.total_ai_requests).toBe(8);
  });

  it('counts each AI request under one intent, without a known intent under unknown', async () => {
    const { body } = await test.read('/llms');
    expect(body.intent_totals).toEqual({ training: 1, search: 4, fetcher: 2, unknown: 1 });
    expect(body.pages_by_intent).toEqual({ training: 1, search: 1, fetcher: 2, unknown: 1 });
  });

  it('lists a name that only impostors used last, and counts it only there', async () => {
    const { body } = await test.read('/llms');
    expect(body.crawlers.at(-1)).toMatchObject({
      bot_name: 'OAI-SearchBot',
      requests: 0,
      share_pct: 0,
      unique_pages: 0,
      spoofed_count: 1,
      verification_status: 'spoofed',
    });
    expect(body.unique_crawlers).toBe(body.crawlers.length - 1);
    expect(body.bot_names).not.toContain('OAI-SearchBot');
  });

  it('returns the number of all requested pages, also beyond its limit', async () => {
    const { body } = await test.read('/llms?limit=1');
    expect(body.pages).toHaveLength(1);
    expect(body.total_pages_requested).toBe(4);
  });

  it('needs Starter or above', async () => {
    const path = `/public/v1/websites/${test.freeWebsite.id}/llms`;
    expect((await test.request(path, { key: test.keys.free })).status).toBe(403);
  });
});

describe('ai-funnel', () => {
  it('counts only known crawlers as fetches and operators', async () => {
    const { body } = await test.read('/ai-funnel');
    expect(body.operators.map(({ operator }: { operator: string }) => operator)).toEqual([
      'OpenAI',
      '__proto__',
    ]);
    expect(body.totals).toMatchObject({ operators: 2, fetches: 6, training_requests: 1 });
  });

  it('lists pages of a connected source that no AI search or answer bot fetched', async () => {
    const { body } = await test.read('/ai-funnel?min_impressions=7');
    expect(body.discovery).toMatchObject({
      sc_connected: true,
      reason: null,
      crawl_basis: 'verified',
      min_impressions: 7,
      checked: 4,
      never_fetched: 3,
    });
    expect(body.discovery.pages.map(({ path }: { path: string }) => path)).toEqual([
      '/trained',
      '/spoofed',
      '/unknown',
    ]);
    expect(body.discovery.pages[0]).toEqual({
      path: '/trained',
      impressions_28d: 899,
      clicks_28d: 9,
      avg_position: 3.5,
      ai_fetches: 0,
    });
  });

  it('counts claims as fetches if no request of an AI crawler is proved, and names that basis', async () => {
    const path = `/public/v1/websites/${test.foreignWebsite.id}/ai-funnel?min_impressions=7`;
    const { body } = await test.request(path, { key: test.keys.foreign });
    expect(body.discovery).toMatchObject({ crawl_basis: 'unproved', checked: 4, never_fetched: 3 });
    expect(body.discovery.pages.map(({ path }: { path: string }) => path)).not.toContain('/unknown');
  });
});

describe('ai-landing', () => {
  it('reads paths of maximum length that exceed one statement', async () => {
    const body = await readWhole('/ai-landing');
    expect(body.pages).toHaveLength(LONG_PATHS);
    for (const page of body.pages)
      expect(page).toMatchObject({
        visits: 1,
        humans_total: 1,
        bounced: 0,
        next_paths: [{ path: '/next', visits: 1 }],
      });
    const own = body.pages.map(({ operators }: { operators: object }) => Object.entries(operators)[0]);
    expect(own.filter(([name]: [string]) => name === '__proto__')).toEqual([['__proto__', 1]]);
  }, 90_000);

  it('clamps a limit to the nearest bound', async () => {
    expect((await test.read('/ai-landing?limit=0')).body.pages).toHaveLength(1);
    expect((await test.read('/ai-landing?limit=-3')).body.pages).toHaveLength(1);
    expect((await test.read('/ai-landing?limit=100000')).body.pages).toHaveLength(LONG_PATHS);
  });

  it('returns no visits of an operator that sent none, and refuses an unknown operator', async () => {
    const { body } = await test.read('/ai-landing?operator=kagi');
    expect(body).toMatchObject({ pages: [], by_operator: [], totals: { ai_referred_visits: 0 } });
    expect(body.totals.humans_total).toBe(LONG_PATHS + 1);
    expect((await test.read('/ai-landing?operator=Nobody')).status).toBe(400);
  });
});
