import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_AGO, powers, score, storeWorld } from '../../../../test/harness/api/recommendations.js';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { countReads } from '../../../../test/harness/count-reads.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';

let engine: TestClickHouse;
let test: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  await storeWorld(engine, test.website.id, '203.0.113');
  await storeWorld(engine, test.foreignWebsite.id, '198.51.100');
});
afterAll(() => engine?.stop());

describe('GET /recommendations', () => {
  it('fills each list from rows and alerts, best first', async () => {
    const { status, body } = await test.read('/recommendations');
    expect(status).toBe(200);
    expect(body).toMatchObject({ window_days: 1, resolved_count: 0, data_buffering: false });
    // No request of an AI crawler is proved.
    expect(body).toMatchObject({ crawl_basis: 'verified', ai_basis: 'unproved' });
    expect(body.ips_to_block).toEqual([
      {
        key: 'ip:203.0.113.9',
        score: score(50 + 5 * powers(40)),
        reason_badges: ['hacking_probe', 'mostly_errors'],
        ip: '203.0.113.9',
        country: 'NL',
        asn: 64_500,
        as_name: 'Rented Servers',
        request_count: 40,
        alert_types: ['hacking_probe'],
        sample_user_agent: 'sqlmap/1.8',
        sample_paths: ['/.env', '/wp-login.php'],
        last_seen: new Date(HOUR_AGO).toISOString(),
      },
      expect.objectContaining({
        key: 'ip:203.0.113.30',
        score: score(40 + 5 * powers(25)),
        reason_badges: ['fake_crawler'],
        alert_types: ['fake_crawler'],
        request_count: 25,
      }),
      // Without an alert in the window, false claims alone give an item.
      expect.objectContaining({
        key: 'ip:203.0.113.31',
        score: score(40 + 5 * powers(12)),
        reason_badges: ['fake_crawler', 'mostly_errors'],
        alert_types: [],
      }),
      expect.objectContaining({ key: 'ip:203.0.113.10', score: score(30 + 5 * powers(30)) }),
      expect.objectContaining({
        key: 'ip:203.0.113.11',
        score: score((30 + 5 * powers(30)) / 2),
        reason_badges: ['scraper', 'shared_network:cdn'],
      }),
    ]);
    expect(body.paths_404).toEqual([
      {
        key: '404:/old-page/203.0.113',
        score: score(20 * powers(6 + 3 * 4)),
        reason_badges: ['people', 'search_crawlers'],
        path: '/old-page/203.0.113',
        request_count: 10,
        last_seen: new Date(HOUR_AGO).toISOString(),
      },
      expect.objectContaining({ path: '/also', request_count: 3, reason_badges: ['people', 'also_served'] }),
      expect.objectContaining({
        path: '/.env',
        request_count: 20,
        score: score(20 * powers(2)),
        reason_badges: ['probe'],
      }),
      expect.objectContaining({ path: '/wp-login.php', request_count: 20, reason_badges: ['probe'] }),
    ]);
    expect(body.unverified_bots).toEqual([
      expect.objectContaining({
        key: 'unverified:Googlebot:203.0.113.30',
        claimed_bot: 'Googlebot',
        ip: '203.0.113.30',
        request_count: 25,
        score: score(20 * powers(25) + 20),
        reason_badges: ['failed_verification', 'claims_search_crawler', 'alerted'],
      }),
      // From a late verdict.
      expect.objectContaining({ key: 'unverified:Googlebot:203.0.113.32', request_count: 3 }),
      expect.objectContaining({
        key: 'unverified:GPTBot:203.0.113.31',
        request_count: 12,
        score: score(20 * powers(12)),
        reason_badges: ['failed_verification', 'mostly_errors'],
      }),
    ]);
    expect(body.slow_paths).toEqual([
      {
        key: 'slow:/slow',
        score: score(20 * powers(8 + 7)),
        reason_badges: ['people', 'search_crawlers'],
        path: '/slow',
        avg_latency_ms: 2_500,
        timed_requests: 10,
        last_seen: new Date(HOUR_AGO).toISOString(),
      },
    ]);
  });

  it('never names a proved crawler, a published range of one, or a private address', async () => {
    const lists = (await test.read('/recommendations?hours=8760')).text;
    const details = (await test.read('/recommendations/unverified-bots?hours=8760')).text;
    for (const text of [lists, details]) {
      expect(text).toContain('203.0.113.30');
      for (const address of ['66.249.66.1', '66.249.66.5', '10.0.0.7']) expect(text).not.toContain(address);
    }
  });

  it('lists a scanner that is too slow for an alert, and no client with a few wrong names', async () => {
    const start = Date.parse('2026-10-01T00:00:00Z');
    const probes = (client_ip: string, times: number) =>
      Array.from({ length: times }, (_, at) =>
        storedRequest({
          ...{ website_id: test.website.id, log_index: at, client_ip, asn: 64_500, status: 404 },
          ...{
            timestamp: start + Math.floor((at * 8 * 86_400_000) / times),
            path: `/.env.${at}`,
            is_probe: true,
          },
        }),
      );
    const rows = [...probes('192.0.2.77', 500), ...probes('192.0.2.78', 20), ...probes('10.0.0.8', 500)];
    await insertStored(engine.clickhouse, rows, { deduplicationToken: 'slow scanner' });
    const { body } = await test.read('/recommendations?start=2026-10-01&end=2026-10-08');
    expect(body.ips_to_block).toMatchObject([
      {
        key: 'ip:192.0.2.77',
        request_count: 500,
        alert_types: [],
        reason_badges: ['hacking_probe', 'mostly_errors'],
        score: score(50 + 5 * powers(500)),
      },
    ]);
  });

  it('counts only the window', async () => {
    const { body } = await test.read('/recommendations?hours=72');
    expect(body).toMatchObject({ window_days: 3 });
    expect(body.paths_404[0]).toMatchObject({ path: '/old-page/203.0.113', request_count: 15 });
    expect(body.ips_to_block.find(({ ip }: { ip: string }) => ip === '203.0.113.31').alert_types).toEqual([
      'scraper',
    ]);
    const quiet = await test.read('/recommendations?start=2026-11-01&end=2026-11-02');
    expect(quiet.body).toMatchObject({
      ips_to_block: [],
      paths_404: [],
      unverified_bots: [],
      slow_paths: [],
      resolved_count: 0,
      window_days: 2,
    });
  });

  it('shows nothing of another website', async () => {
    const foreign = `/public/v1/websites/${test.foreignWebsite.id}`;
    const paths = [
      '',
      '/paths-404',
      '/slow-paths',
      '/unverified-bots',
      '/snippet?type=block_ips',
      '/snippet?type=gone_404s',
    ];
    for (const path of paths) {
      const own = await test.read(`/recommendations${path}`);
      expect(own.status).toBe(200);
      expect(own.text).not.toContain('198.51.100');
      const theirs = await test.request(`${foreign}/recommendations${path}`, { key: test.keys.foreign });
      expect(theirs.status).toBe(200);
      expect(theirs.text).not.toContain('203.0.113');
      expect((await test.request(`${foreign}/recommendations${path}`)).status).toBe(404);
    }
  });

  it('makes the same number of statements for lists of any length', async () => {
    const counted = countReads(engine.clickhouse);
    const counting = await createTestApi({ reader: counted.reader });
    await storeWorld(engine, counting.website.id, '192.0.2');
    await counting.read('/recommendations');
    const names = [...counted.byName()]
      .map(([name, { statements }]) => ({ name, statements }))
      // Their number depends on the window alone.
      .filter(({ name }) => !name.startsWith('kept_hours.'));
    expect(names).toHaveLength(4);
    // Samples at the edges of the window are read apart.
    for (const { name, statements } of names)
      expect(statements, name).toBeLessThanOrEqual(name === 'recommendations.samples' ? 2 : 1);
  });
});
