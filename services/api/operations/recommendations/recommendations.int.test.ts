import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import { StoreTimeoutError } from '../../../../shared/clickhouse/store-errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { snippetTargetNames, snippetTypes } from '../../../../shared/snippets/target.js';
import { insertAlert } from '../../../../test/harness/alerts.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { countReads } from '../../../../test/harness/count-reads.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../../test/harness/stored-verdicts.js';

let engine: TestClickHouse;
let test: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  await storeWorld(test.website.id, '203.0.113');
  await storeWorld(test.foreignWebsite.id, '198.51.100');
});
afterAll(() => engine?.stop());

const HOUR_AGO = TEST_NOW - HOUR_MS;

/** The same on every website, but for the network that the culprits come from. */
function makeRequests(website_id: string, network: string): StoredRequest[] {
  let index = 0;
  const some = (times: number, given: Partial<StoredRequest>) =>
    Array.from({ length: times }, (_, at) =>
      storedRequest({ website_id, timestamp: HOUR_AGO - at * MINUTE_MS, log_index: index++, ...given }),
    );
  const from = (host: number) => ({
    client_ip: `${network}.${host}`,
    asn: 64_500,
    as_name: 'Rented Servers',
    country: 'NL',
  });
  const scanner = {
    ...from(9),
    user_agent: 'sqlmap/1.8',
    status: 404,
    is_bot: true,
    traffic_class: 'other_bot',
    bot_name: 'sqlmap',
    bot_family: 'sqlmap',
    bot_category: 'security',
    bot_verification: 'unverifiable',
  } as const;
  const impostor = { ...googlebot, bot_verification: 'spoofed', traffic_class: 'spoofed_bot' } as const;
  const gptbot = {
    ...impostor,
    bot_name: 'GPTBot',
    bot_family: 'OpenAI',
    bot_operator: 'OpenAI',
    bot_category: 'ai',
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
  } as const;
  return [
    ...some(20, { ...scanner, path: '/wp-login.php' }),
    ...some(20, { ...scanner, path: '/.env' }),
    ...some(30, { ...from(10), path: '/p/1', user_agent: 'python-requests/2' }),
    ...some(30, { ...from(11), asn: 13_335, as_name: 'Cloudflare', path: '/p/2' }),
    ...some(30, { client_ip: '10.0.0.7', path: '/p/3' }),
    ...some(25, { ...impostor, ...from(30), path: '/shop' }),
    ...some(12, { ...gptbot, ...from(31), status: 403, path: '/shop' }),
    ...some(3, { ...googlebot, ...from(32), bot_verification: 'pending', path: '/shop' }),
    // Proved by its address, and an impostor of another crawler from the same published range.
    ...some(15, { ...googlebot, path: '/shop' }),
    ...some(20, { ...impostor, client_ip: '66.249.66.5', bot_name: 'bingbot', bot_family: 'Bing' }),
    ...some(6, { path: `/old-page/${network}`, status: 404 }),
    ...some(4, { ...googlebot, path: `/old-page/${network}`, status: 404 }),
    ...some(5, { path: `/old-page/${network}`, status: 404, timestamp: TEST_NOW - 2 * DAY_MS }),
    ...some(3, { path: '/also', status: 404 }),
    ...some(5, { path: '/also' }),
    ...some(9, { path: '/forbidden', status: 403 }),
    ...some(9, { path: '/gone', status: 410 }),
    ...some(8, { path: '/slow', time_taken_ms: 2_000 }),
    ...some(2, { ...googlebot, path: '/slow', time_taken_ms: 4_500 }),
    ...some(2, { path: '/slow-once', time_taken_ms: 9_000 }),
    ...some(9, { path: '/fast', time_taken_ms: 999 }),
  ];
}

async function storeWorld(websiteId: string, network: string): Promise<void> {
  await insertStored(engine.clickhouse, makeRequests(websiteId, network), { deduplicationToken: websiteId });
  await insertVerdicts(
    engine.clickhouse,
    [{ websiteId, family: 'Google', clientIp: `${network}.32`, status: 'spoofed', decidedAt: TEST_NOW }],
    `verdicts ${websiteId}`,
  );
  const alert = (alertId: string, given: Partial<Parameters<typeof insertAlert>[1]>) =>
    insertAlert(engine.clickhouse, { websiteId, alertId, createdAt: HOUR_AGO, ...given });
  await alert('probe', {
    type: 'hacking_probe',
    subject: `${network}.9`,
    details: { sample_paths: ['/.env'] },
  });
  const addresses = [`${network}.10`, `${network}.11`].map((ip) => ({ ip }));
  await alert('scrape', { type: 'scraper', subject: '', details: { addresses } });
  await alert('proved', { type: 'scraper', subject: '66.249.66.1' });
  await alert('own', { type: 'scraper', subject: '10.0.0.7' });
  await alert('old', { type: 'scraper', subject: `${network}.31`, createdAt: TEST_NOW - 3 * DAY_MS });
  await alert('fake', {
    type: 'fake_crawler',
    subject: 'Googlebot',
    details: { addresses: [{ ip: `${network}.30` }] },
  });
}

const score = (value: number) => Math.round(value * 100) / 100;
const powers = (value: number) => Math.log10(1 + value);

describe('GET /recommendations', () => {
  it('tells of each list what the rows and alerts hold, best first', async () => {
    const { status, body } = await test.read('/recommendations');
    expect(status).toBe(200);
    expect(body).toMatchObject({ window_days: 1, resolved_count: 0, data_buffering: false });
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
      // No alert of the window: claims that were proved false speak alone.
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
      // By a late verdict.
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

  it('counts the window alone', async () => {
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

  it('costs as many statements however much there is to list', async () => {
    const counted = countReads(engine.clickhouse);
    const counting = await createTestApi({ reader: counted.reader });
    await storeWorld(counting.website.id, '192.0.2');
    await counting.read('/recommendations');
    const names = [...counted.byName()].map(([name, { statements }]) => [name, statements]);
    expect(names).toHaveLength(8);
    expect(names.every(([, statements]) => statements === 1)).toBe(true);
  });
});

describe('the details', () => {
  it('tell who asked for pages not found', async () => {
    const { body } = await test.read('/recommendations/paths-404');
    expect(body).toMatchObject({ window_days: 1, error: null, data_buffering: false });
    expect(body.items).toHaveLength(4);
    expect(body.items[0]).toEqual({
      key: '404:/old-page/203.0.113',
      score: score(20 * powers(6 + 3 * 4)),
      reason_badges: ['people', 'search_crawlers'],
      path: '/old-page/203.0.113',
      request_count: 10,
      last_seen: new Date(HOUR_AGO).toISOString(),
      human_requests: 6,
      search_bot_requests: 4,
      ai_bot_requests: 0,
      verified_bot_requests: 4,
      verified_bot_share_pct: 40,
      sample_user_agents: [
        'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
        googlebot.user_agent,
      ],
      first_seen: new Date(HOUR_AGO - 5 * MINUTE_MS).toISOString(),
      served_requests: 0,
    });
  });

  it('tell the spread of slow pages', async () => {
    const { body } = await test.read('/recommendations/slow-paths');
    expect(body.items).toEqual([
      expect.objectContaining({
        key: 'slow:/slow',
        avg_latency_ms: 2_500,
        timed_requests: 10,
        max_latency_ms: 4_500,
        human_requests: 8,
        verified_bot_share_pct: 20,
      }),
    ]);
    expect(body.items[0].p95_latency_ms).toBeGreaterThan(4_000);
  });

  it('tell what impostors did, and how much of the claimed bot is real', async () => {
    const { body } = await test.read('/recommendations/unverified-bots');
    expect(body.items.map(({ key }: { key: string }) => key)).toEqual([
      'unverified:Googlebot:203.0.113.30',
      'unverified:Googlebot:203.0.113.32',
      'unverified:GPTBot:203.0.113.31',
    ]);
    const googlebots = 25 + 3 + 15 + 4 + 2;
    expect(body.items[0]).toMatchObject({
      request_count: 25,
      bot_verified_share_pct: score((100 * (15 + 4 + 2)) / googlebots),
      sample_user_agents: [googlebot.user_agent],
      sample_paths: ['/shop'],
      unique_paths: 1,
      refused_requests: 0,
    });
    expect(body.items[2]).toMatchObject({
      request_count: 12,
      refused_requests: 12,
      bot_verified_share_pct: 0,
    });
  });

  it.each(['paths-404', 'slow-paths', 'unverified-bots'])(
    '%s: a query that runs out of time is empty and says timeout',
    async (path) => {
      const late: ClickHouseReader = {
        read: () => Promise.reject(new StoreTimeoutError('out of time')),
      };
      const slow = await createTestApi({ reader: late });
      const { status, body } = await slow.read(`/recommendations/${path}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ items: [], error: 'timeout', window_days: 1, data_buffering: false });
    },
  );

  it('a query that goes on says timeout, and a repeat of the call gets what it found', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const patient: ClickHouseReader = {
      async read(query) {
        if (query.scan === undefined) throw new StoreTimeoutError('longer than everyday reads may take');
        await held;
        return engine.clickhouse.read(query);
      },
    };
    const slow = await createTestApi({ reader: patient, readDeadlineMs: 5 });
    await storeWorld(slow.website.id, '192.0.2');
    const path = '/recommendations/paths-404';
    const first = await slow.read(path);
    expect(first.body).toMatchObject({ items: [], error: 'timeout', data_buffering: true });
    expect(first.headers.get('Retry-After')).not.toBeNull();
    release();
    await expect
      .poll(async () => (await slow.read(path)).body, { timeout: 30_000, interval: 200 })
      .toMatchObject({
        error: null,
        data_buffering: false,
        items: [{ path: '/old-page/192.0.2' }, {}, {}, {}],
      });
  });
});

describe('what is resolved', () => {
  it('is hidden and counted, until it is reopened, alerted of an hour later, or found again a day later', {
    timeout: 240_000,
  }, async () => {
    const own = await createTestApi({ reader: engine.clickhouse });
    await storeWorld(own.website.id, '192.0.2');
    const resolve = (key: string) =>
      own.request(`/public/v1/websites/${own.website.id}/recommendations/resolve`, {
        method: 'POST',
        body: { key },
      });
    const keysOf = async (query = '?hours=240') => {
      const { body } = await own.read(`/recommendations${query}`);
      const lists = [body.ips_to_block, body.paths_404, body.unverified_bots, body.slow_paths];
      return { keys: lists.flat().map(({ key }) => key), resolved: body.resolved_count };
    };
    const all = ['ip:192.0.2.9', '404:/old-page/192.0.2', 'unverified:Googlebot:192.0.2.30', 'slow:/slow'];
    for (const key of all) expect((await resolve(key)).status).toBe(200);
    const hidden = await keysOf();
    expect(hidden.resolved).toBe(4);
    for (const key of all) expect(hidden.keys).not.toContain(key);
    expect((await own.read('/recommendations/slow-paths')).body.items).toEqual([]);

    const key = encodeURIComponent('404:/old-page/192.0.2');
    const path = `/public/v1/websites/${own.website.id}/recommendations/resolve/${key}`;
    expect((await own.request(path, { method: 'DELETE' })).status).toBe(200);
    expect(await keysOf()).toMatchObject({
      resolved: 3,
      keys: expect.arrayContaining(['404:/old-page/192.0.2']),
    });
    await resolve('404:/old-page/192.0.2');

    const seenAgain = (lastSeen: number) =>
      insertAlert(engine.clickhouse, {
        websiteId: own.website.id,
        alertId: 'probe',
        type: 'hacking_probe',
        subject: '192.0.2.9',
        createdAt: HOUR_AGO,
        lastSeen,
      });
    own.advance(2 * HOUR_MS);
    await seenAgain(TEST_NOW + HOUR_MS);
    expect(await keysOf()).toMatchObject({ resolved: 4 });
    await seenAgain(TEST_NOW + HOUR_MS + MINUTE_MS);
    const alerted = await keysOf();
    expect(alerted.resolved).toBe(3);
    expect(alerted.keys).toContain('ip:192.0.2.9');

    own.advance(3 * DAY_MS);
    const later = (timestamp: number, given: Partial<StoredRequest>, times = 1) =>
      insertStored(
        engine.clickhouse,
        Array.from({ length: times }, (_, log_index) =>
          storedRequest({ website_id: own.website.id, timestamp, log_index, ...given }),
        ),
        { deduplicationToken: `${own.website.id} ${timestamp} ${given.path}` },
      );
    const dayLater = TEST_NOW + DAY_MS;
    const impostor = { ...googlebot, bot_verification: 'spoofed', client_ip: '192.0.2.30' } as const;
    await later(dayLater - MINUTE_MS, { path: '/old-page/192.0.2', status: 404 });
    // Turned away: it is blocked.
    await later(dayLater + DAY_MS, { ...impostor, path: '/x', status: 403 });
    await later(dayLater + DAY_MS, { path: '/slow', time_taken_ms: 20 }, 9);
    expect(await keysOf()).toMatchObject({ resolved: 3 });
    await later(dayLater + MINUTE_MS, { path: '/old-page/192.0.2', status: 404 });
    await later(dayLater + DAY_MS + MINUTE_MS, { path: '/slow', time_taken_ms: 5_000 }, 9);
    await later(dayLater + DAY_MS + MINUTE_MS, { ...impostor, path: '/y' });
    const found = await keysOf();
    expect(found.resolved).toBe(0);
    expect(found.keys).toEqual(expect.arrayContaining(all));
  });
});

describe('GET /recommendations/snippet', () => {
  const snippet = async (query: string) => (await test.read(`/recommendations/snippet?${query}`)).body;

  it('lists addresses that nobody shares, in the words of the target', async () => {
    const body = await snippet('type=block_ips&target=nginx');
    expect(body).toMatchObject({
      type: 'block_ips',
      target: 'nginx',
      filename: 'loglane-block-ips.conf',
      count: 4,
    });
    expect(body.snippet).toBe(
      'deny 203.0.113.9;\ndeny 203.0.113.30;\ndeny 203.0.113.31;\ndeny 203.0.113.10;\n',
    );
    expect(body.notes.join(' ')).toContain('203.0.113.11 (cdn)');
  });

  it("is for the website's platform where no target is named", async () => {
    expect(test.website.sourceType).toBe('cloudflare');
    expect((await snippet('type=block_ips')).snippet).toMatch(/^\(ip\.src in \{203\.0\.113\.9 /);
  });

  it('matches bots by name and address together', async () => {
    const body = await snippet('type=block_bots&target=apache');
    expect(body.count).toBe(3);
    expect(body.snippet).toContain("=~ m#Googlebot#i && (-R '203.0.113.30' || -R '203.0.113.32')");
    expect(body.snippet).toContain("=~ m#GPTBot#i && (-R '203.0.113.31')");
  });

  it('asks in robots.txt for nobody to stay away, since only the real ones would', async () => {
    const body = await snippet('type=block_bots&target=robots');
    expect(body).toMatchObject({ snippet: '', count: 0 });
    expect(body.notes.join(' ')).toContain('can not keep out an impostor');
  });

  it('calls gone what was never served', async () => {
    const body = await snippet('type=gone_404s&target=netlify');
    expect(body.snippet).toBe('/old-page/203.0.113  /404.html  410\n');
    expect(body.notes.join(' ')).toContain('Paths left out: 3.');
    // A week, where nothing is said.
    expect(body.window.hours).toBe(168);
    expect((await snippet('type=gone_404s&days=2')).window.hours).toBe(48);
    expect((await snippet('type=gone_404s&days=2&hours=5')).window.hours).toBe(5);
  });

  it.each(snippetTypes.flatMap((type) => snippetTargetNames.map((target) => [type, target] as const)))(
    '%s for %s has a text, or a reason why not',
    async (type, target) => {
      const body = await snippet(`type=${type}&target=${target}`);
      expect(body).toMatchObject({ type, target, data_buffering: false });
      expect(body.count > 0).toBe(body.snippet !== '');
      const cannot = ['netlify', 'vercel'].includes(target) ? type !== 'gone_404s' : target === 'robots';
      expect(body.snippet === '').toBe(cannot);
      expect(body.notes.length).toBeGreaterThan(1);
    },
  );

  it('leaves out what is resolved', async () => {
    const own = await createTestApi({ reader: engine.clickhouse });
    await storeWorld(own.website.id, '192.0.2');
    await own.request(`/public/v1/websites/${own.website.id}/recommendations/resolve`, {
      method: 'POST',
      body: { key: 'ip:192.0.2.9' },
    });
    const { body } = await own.read('/recommendations/snippet?type=block_ips&target=nginx');
    expect(body.snippet).not.toContain('192.0.2.9;');
    expect(body.count).toBe(3);
  });

  it.each([
    'type=block',
    'type=block_ips&target=iis',
    'type=block_ips&days=0',
    'type=block_ips&days=366',
    '',
  ])('"%s" is refused', async (query) => {
    const { status, body } = await test.read(`/recommendations/snippet?${query}`);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/type|target|days/);
  });
});
