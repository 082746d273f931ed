import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { granted } from '../../../../test/harness/control-plane.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../../test/harness/stored-verdicts.js';

let engine: TestClickHouse;
let test: TestApi;
let stored: StoredRequest[];
let bareWebsiteId: string;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  stored = makeRequests(test.website.id);
  await insertStored(engine.clickhouse, stored, { deduplicationToken: 'own' });
  await insertStored(engine.clickhouse, makeRequests(test.foreignWebsite.id), {
    deduplicationToken: 'foreign',
  });
  const { organisationId } = test.website;
  const created = granted(
    await test.control.execute(
      { type: 'createWebsite', organisationId, domain: 'bare.example.com' },
      'admin',
    ),
  );
  bareWebsiteId = created.website.id;
  const withoutHosts = makeRequests(bareWebsiteId).map((row) => ({ ...row, host: '' }));
  await insertStored(engine.clickhouse, withoutHosts, { deduplicationToken: 'no hosts' });
  const verdict = { websiteId: test.website.id, family: 'Google', decidedAt: TEST_NOW };
  await insertVerdicts(
    engine.clickhouse,
    [
      { ...verdict, clientIp: '203.0.113.9', status: 'verified' },
      { ...verdict, clientIp: '203.0.113.10', status: 'spoofed' },
      { ...verdict, clientIp: '203.0.113.11', status: 'verified', websiteId: test.foreignWebsite.id },
    ],
    'verdicts',
  );
});
afterAll(() => engine?.stop());

/** 48 requests over 12 hours, four at each instant, with every property that a filter selects. */
function makeRequests(website_id: string): StoredRequest[] {
  return Array.from({ length: 48 }, (_, index) => {
    const place = { log_partition: index % 2, log_offset: 100 + (index % 3), log_index: index };
    const common = {
      website_id,
      timestamp: TEST_NOW - MINUTE_MS - Math.floor(index / 4) * HOUR_MS,
      path: index % 6 === 0 ? '/Shop/Shoes' : `/page/${index}`,
      status: [200, 204, 301, 404, 410, 500, 503, 0][index % 8]!,
      method: index % 9 === 0 ? 'POST' : 'GET',
      host: index % 5 === 0 ? 'shop.example.com' : 'www.example.com',
      query: index % 7 === 0 ? 'page=2' : '',
      file_type: index % 3 === 0 ? 'pdf' : 'html',
      ...place,
    };
    const bot = (address: string, bot_verification: StoredRequest['bot_verification']) =>
      storedRequest({ ...googlebot, client_ip: address, bot_verification, ...common });
    if (index % 4 === 1) return bot('66.249.66.1', 'verified');
    if (index % 12 === 2) return bot('203.0.113.9', 'pending');
    if (index % 12 === 6) return bot('203.0.113.10', 'pending');
    if (index % 12 === 10) return bot('203.0.113.11', 'pending');
    if (index % 12 === 3) return bot('203.0.113.12', 'unverifiable');
    if (index % 12 === 7) return storedRequest({ ...common, ...undeclaredAgent });
    return storedRequest({
      ...common,
      ...(index === 0 && { sent_target: '/Shop/Sho%65s?page=%32' }),
      client_ip: index % 2 === 0 ? '2001:db8::7' : '192.0.2.7',
      country: index % 8 === 0 ? 'FR' : 'DE',
      user_agent: index === 0 ? 'Müller\tBrowser/1.0 "quoted" \\' : 'Mozilla/5.0 Firefox/128.0',
    });
  });
}

const undeclaredAgent = {
  client_ip: '20.171.206.9',
  traffic_class: 'undeclared_agent',
  bot_operator: 'OpenAI',
  bot_verification: 'undeclared',
  verification_method: 'ranges',
} as const;
/** Claimed bots and undeclared agents. */
const isNoPerson = (request: StoredRequest) => request.traffic_class !== 'human';

/** The total order: newest first, then latest log offset first. */
function newestFirst(requests: readonly StoredRequest[]): StoredRequest[] {
  return [...requests].sort(
    (a, b) =>
      b.timestamp - a.timestamp ||
      b.log_partition - a.log_partition ||
      b.log_offset - a.log_offset ||
      b.log_index - a.log_index,
  );
}

const resolvedStatus = (request: StoredRequest) => {
  if (['', 'undeclared'].includes(request.bot_verification)) return null;
  if (request.bot_verification !== 'pending') return request.bot_verification;
  return { '203.0.113.9': 'verified', '203.0.113.10': 'spoofed' }[request.client_ip] ?? 'pending';
};

const shown = (requests: readonly StoredRequest[]) =>
  requests.map(({ timestamp, path, sent_target, client_ip, status }) => ({
    timestamp: new Date(timestamp).toISOString(),
    path: sent_target === '' ? path : sent_target.split('?')[0],
    client_ip,
    status,
  }));

const partsOf = (rows: Record<string, unknown>[]) =>
  rows.map(({ timestamp, path, client_ip, status }) => ({ timestamp, path, client_ip, status }));

describe('GET /requests', () => {
  it('shows every request of the window, newest first, ties by log offset', async () => {
    const { status, body } = await test.read('/requests?limit=500');
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 48, limit: 500, page: 1, next_cursor: null, data_buffering: false });
    expect(partsOf(body.requests)).toEqual(shown(newestFirst(stored)));
  });

  it('shows path and query as sent, in every list of single requests', async () => {
    const { body } = await test.read('/requests?user_agent=M%C3%BCller');
    expect(body.requests).toMatchObject([{ path: '/Shop/Sho%65s', query: 'page=%32' }]);
    const live = await test.read('/live?type=human');
    expect(live.body.requests.map(({ path }: { path: string }) => path)).toContain('/Shop/Sho%65s');
    const ofAddress = await test.read('/ips/2001:db8::7/requests');
    expect(ofAddress.body.requests.map(({ path }: { path: string }) => path)).toContain('/Shop/Sho%65s');
  });

  it('includes the start of the window and excludes its end', async () => {
    const start = new Date(TEST_NOW - MINUTE_MS - 3 * HOUR_MS).toISOString();
    const end = new Date(TEST_NOW - MINUTE_MS - 1 * HOUR_MS).toISOString();
    const { body } = await test.read(`/requests?start=${start}&end=${end}`);
    expect(body.window).toEqual({ start, end, hours: 2 });
    expect(body.count).toBe(8);
    expect(new Set(body.requests.map((row: { timestamp: string }) => row.timestamp))).toEqual(
      new Set([start, new Date(TEST_NOW - MINUTE_MS - 2 * HOUR_MS).toISOString()]),
    );
  });

  const filters: [string, (request: StoredRequest) => boolean][] = [
    ['bot_name=googlebot', (request) => request.bot_name === 'Googlebot'],
    ['is_bot=true', isNoPerson],
    ['is_bot=0', (request) => !isNoPerson(request)],
    ['bot_verified=true', (request) => resolvedStatus(request) === 'verified'],
    ['bot_verified=false', (request) => resolvedStatus(request) === 'spoofed'],
    ['without_unproved=true', (request) => ['verified', null].includes(resolvedStatus(request) ?? null)],
    ['client_ip=192.0.2.7', (request) => request.client_ip === '192.0.2.7'],
    ['client_ip=2001:DB8:0::7', (request) => request.client_ip === '2001:db8::7'],
    ['path=/shop/', (request) => request.path === '/Shop/Shoes'],
    ['path=/sho%2565S', (request) => request.path === '/Shop/Shoes'],
    ['path=%25', () => false],
    ['status=404', (request) => request.status === 404],
    ['status=0', (request) => request.status === 0],
    ['status_category=5xx', (request) => request.status >= 500],
    ['status_category=other', (request) => request.status === 0],
    ['method=post', (request) => request.method === 'POST'],
    ['host=SHOP.example.com.', (request) => request.host === 'shop.example.com'],
    ['host=shop.example.com:443,www.example.com', () => true],
    ['country=fr', (request) => request.country === 'FR'],
    ['countries=FR,US', (request) => request.country === 'FR' || request.country === 'US'],
    ['bot_family=google', (request) => request.bot_family === 'Google'],
    ['file_type=PDF,js', (request) => request.file_type === 'pdf'],
    ['file_type=.pdf', (request) => request.file_type === 'pdf'],
    ['params_filter=with_params', (request) => request.query !== ''],
    ['params=without&is_bot=true', (request) => request.query === '' && isNoPerson(request)],
    ['user_agent=FIREFOX', (request) => request.user_agent.includes('Firefox')],
    ['user_agent=m%C3%9Cller', (request) => request.user_agent.includes('Müller')],
    [
      'is_bot=false&status_category=2xx&country=DE',
      (request) =>
        !isNoPerson(request) && request.status < 300 && request.status > 0 && request.country === 'DE',
    ],
    ["path=' OR 1=1 --", () => false],
  ];
  it.each(filters)('?%s shows exactly the matching requests', async (query, passes) => {
    const expected = newestFirst(stored.filter(passes));
    const { status, body } = await test.read(
      `/requests?limit=500&${encodeURI(query).replaceAll('%25', '%')}`,
    );
    expect(status).toBe(200);
    expect(partsOf(body.requests)).toEqual(shown(expected));
  });

  it.each([
    '/requests',
    '/recommendations',
    '/recommendations/paths-404',
    '/recommendations/slow-paths',
    '/recommendations/unverified-bots',
    '/alerts',
  ])('%s reports a window before all data, and only such a window', async (path) => {
    const before = await test.read(`${path}?start=2025-01-01&end=2025-01-02`);
    expect(before.body).toMatchObject({
      data_since: expect.any(String),
      window_note: expect.stringContaining('before data_since'),
    });
    const within = await test.read(`${path}?hours=24`);
    expect(within.body).toMatchObject({ data_since: before.body.data_since });
    expect(within.body.window_note).toBeUndefined();
  });

  it.each([
    ['/requests?file_type=nope', 'file_type: no request of the window has the type "nope"'],
    ['/summary?file_type=html,nope', 'file_type: no request of the window has the type "nope"'],
    ['/summary?file_type=text/html', 'file_type: expected extensions such as html'],
    ['/requests?country=GB&countries=SE', 'country: GB is not in countries'],
    ['/requests?bot=Googlebot&bot_name=bingbot', 'bot_name: no crawler matches both this name and bot'],
    ['/summary?bot=Googlebot&bot_name=bingbot', 'bot_name: no crawler matches both this name and bot'],
    ['/bots?bot_family=Microsoft&bot_name=Googlebot', 'bot_family: no crawler matches both this name'],
    ['/seo?bot=Googlebot&bot_name=bingbot', 'bot_name: no crawler matches both this name and bot'],
  ])('%s is refused, because nothing can match', async (path, detail) => {
    const { status, body } = await test.read(path);
    expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
  });

  it.each([
    '/requests?file_type=.PDF',
    '/requests?file_type=woff2',
    '/requests?country=de&countries=SE,DE',
    '/requests?bot=google&bot_name=Googlebot&bot_family=Google',
  ])('%s is accepted', async (path) => {
    expect((await test.read(path)).status).toBe(200);
  });

  it('a list of segments names an unknown one', async () => {
    const { body } = await test.read('/segments-breakdown?segments=seg_nope');
    expect(body._ignored_parameters).toEqual(['segments']);
    expect(body.segments).toHaveLength(1);
  });

  it('a host is refused if the logs contain none', async () => {
    const path = `/public/v1/websites/${bareWebsiteId}/summary?host=www.example.com`;
    const { status, body } = await test.request(path);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^host: the logs contain no host/)]);
  });

  it.each([
    [
      '/requests',
      'nothere.example.com',
      'the host "nothere.example.com"; requested hosts are www.example.com, shop.example.com',
    ],
    [
      '/summary',
      'example.com',
      'the host "example.com"; requested hosts are www.example.com, shop.example.com',
    ],
    ['/status-codes', 'shop.example.com,shp.example.com', 'the host "shp.example.com"; requested hosts'],
    [
      '/hosts',
      'https://www.example.com/',
      'expected host names such as www.example.com, got "https://www.example.com/"',
    ],
    ['/seo', 'a b', 'expected host names such as www.example.com, got "a b"'],
  ])('%s?host=%s is refused: no request has it', async (path, host, message) => {
    const { status, body } = await test.read(`${path}?host=${encodeURIComponent(host)}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(JSON.stringify(message).slice(1, -1));
  });

  it.each([1, 7, 47, 48])('reads every row once by cursor in pages of %i', async (limit) => {
    const rows: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    let calls = 0;
    do {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await test.read(`/requests?limit=${limit}${at}`);
      expect(status).toBe(200);
      rows.push(...body.requests);
      cursor = body.next_cursor;
      calls += 1;
    } while (cursor !== null && calls < 100);
    expect(calls).toBe(Math.ceil(48 / limit));
    expect(partsOf(rows)).toEqual(shown(newestFirst(stored)));
  });

  it('reads the same rows by page as by cursor', async () => {
    const second = await test.read('/requests?limit=10&page=2');
    const first = await test.read('/requests?limit=10');
    const byCursor = await test.read(`/requests?limit=10&cursor=${first.body.next_cursor}`);
    expect(second.body.requests).toEqual(byCursor.body.requests);
    expect(second.body.page).toBe(2);
  });

  it('answers 400 to a cursor of other filters, and of another website', async () => {
    const { body } = await test.read('/requests?limit=5&is_bot=true');
    for (const query of ['is_bot=false', 'is_bot=true&status=200', 'is_bot=true&hours=25', '']) {
      const answer = await test.read(`/requests?limit=5&cursor=${body.next_cursor}&${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.body.detail).toMatch(/^cursor: belongs to a search with other filters/);
    }
    const foreign = await test.request(
      `/public/v1/websites/${test.foreignWebsite.id}/requests?is_bot=true&cursor=${body.next_cursor}`,
      { key: test.keys.foreign },
    );
    expect(foreign.status).toBe(400);
  });

  it('keeps the text of a row as sent, and distinguishes absent from zero', async () => {
    const { body } = await test.read('/requests?user_agent=quoted');
    expect(body.requests[0]).toMatchObject({
      user_agent: 'Müller\tBrowser/1.0 "quoted" \\',
      client_ip: '2001:db8::7',
      bot_name: '',
      bot_verified: null,
      bot_verification_status: null,
      status_category: '2xx',
      asn: 3320,
    });
    const left = await test.read('/requests?status=0');
    expect(left.body.requests[0].status_category).toBe('other');
  });

  it('shows a verdict that arrived after the row was stored', async () => {
    const verdictOf = async (address: string) => {
      const { body } = await test.read(`/requests?client_ip=${address}&limit=1`);
      return [body.requests[0].bot_verified, body.requests[0].bot_verification_status];
    };
    expect(await verdictOf('66.249.66.1')).toEqual([true, 'verified']);
    expect(await verdictOf('203.0.113.9')).toEqual([true, 'verified']);
    expect(await verdictOf('203.0.113.10')).toEqual([false, 'spoofed']);
    expect(await verdictOf('203.0.113.11')).toEqual([null, 'pending']);
    expect(await verdictOf('203.0.113.12')).toEqual([null, 'unverifiable']);
  });
});

describe('GET /ips/{ip_address}/requests', () => {
  it('counts and pages the requests of one address', async () => {
    const own = newestFirst(stored.filter(({ client_ip }) => client_ip === '2001:db8::7'));
    const { status, body } = await test.read('/ips/2001:db8:0:0::7/requests?page=2&page_size=5');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ip_address: '2001:db8::7',
      window: { hours: 24 },
      total: own.length,
      page: 2,
      page_size: 5,
      total_pages: Math.ceil(own.length / 5),
    });
    expect(body.requests).toEqual(
      own.slice(5, 10).map(({ timestamp, path, method, status, user_agent, is_bot }) => ({
        timestamp: new Date(timestamp).toISOString(),
        path,
        method,
        status,
        user_agent,
        is_bot,
      })),
    );
  });

  it('shows an undeclared agent as a bot, with its operator and the evidence', async () => {
    const { body } = await test.read('/requests?client_ip=20.171.206.9');
    expect(body.requests).toHaveLength(stored.filter(({ client_ip }) => client_ip === '20.171.206.9').length);
    expect(body.requests[0]).toMatchObject({
      traffic_class: 'undeclared_agent',
      is_bot: true,
      bot_name: '',
      bot_operator: 'OpenAI',
      bot_verified: null,
      bot_verification_status: null,
      bot_verification_method: 'ranges',
      rules_version: '2026-11/2026-08-21/00000000',
    });
  });

  it('treats an IPv4-mapped address as the IPv4 address', async () => {
    const plain = await test.read('/ips/192.0.2.7/requests');
    const mapped = await test.read(`/ips/${encodeURIComponent('::ffff:192.0.2.7')}/requests`);
    expect(plain.body.total).toBeGreaterThan(0);
    expect(mapped.body).toEqual(plain.body);
  });

  it('reads only the last hours', async () => {
    const own = stored.filter(
      ({ client_ip, timestamp }) => client_ip === '192.0.2.7' && timestamp >= TEST_NOW - 3 * HOUR_MS,
    );
    expect((await test.read('/ips/192.0.2.7/requests?hours=3')).body.total).toBe(own.length);
  });

  it('answers an unknown address with an empty list', async () => {
    const { status, body } = await test.read('/ips/198.51.100.1/requests');
    expect(status).toBe(200);
    expect(body).toMatchObject({ requests: [], total: 0, total_pages: 0 });
  });
});

describe('GET /live', () => {
  it.each([
    ['all', () => true],
    ['bots', isNoPerson],
    ['human', (request: StoredRequest) => !isNoPerson(request)],
    ['errors', (request: StoredRequest) => request.status >= 400],
  ])('type=%s shows the newest requests of that kind', async (type, passes) => {
    const { body } = await test.read(`/live?type=${type}`);
    const expected = newestFirst(stored.filter(passes));
    expect(body).toMatchObject({ feed_type: type, count: expected.length });
    expect(partsOf(body.requests)).toEqual(shown(expected));
  });

  it('shows the present verdict of each claim', async () => {
    const { body } = await test.read('/live?type=bots');
    const expected = newestFirst(stored.filter(isNoPerson)).map(resolvedStatus);
    expect(new Set(expected)).toEqual(new Set(['verified', 'spoofed', 'unverifiable', 'pending', null]));
    expect(
      body.requests.map((row: { bot_verification_status: string }) => row.bot_verification_status),
    ).toEqual(expected);
  });

  it('stops at 100 rows', async () => {
    const many = Array.from({ length: 130 }, (_, index) =>
      storedRequest({ website_id: 'web_live', timestamp: TEST_NOW - index, log_index: index }),
    );
    await insertStored(engine.clickhouse, many, { deduplicationToken: 'many' });
    const { readLiveFeed } = await import('./live-sql.js');
    const rows = await readLiveFeed(engine.clickhouse, {
      websiteId: 'web_live',
      type: 'all',
      segment: null,
      until: TEST_NOW,
      limit: 100,
    });
    expect(rows.map(({ timestamp_ms }) => timestamp_ms)).toEqual(
      many.slice(0, 100).map(({ timestamp }) => timestamp),
    );
  });
});

describe('foreign texts of maximum length', () => {
  const quotes = '"'.repeat(8_000);
  const controls = '\u0001'.repeat(8_000);
  const plain = 'a'.repeat(8_000);
  const rowLike = (index: number, text: string, website_id: string) =>
    storedRequest({
      ...googlebot,
      website_id,
      timestamp: TEST_NOW - MINUTE_MS - index,
      log_index: index,
      client_ip: '66.249.66.9',
      path: `/${index}${text}`,
      user_agent: `Googlebot ${text}`,
      referrer: text,
      content_type: '\u0001'.repeat(255),
      request_id: '\u0001'.repeat(255),
      protocol: '\u0001'.repeat(255),
      cache_status: '\u0001'.repeat(255),
    });
  let flooded: TestApi;
  const read = async (path: string) => {
    const answer = await flooded.read(path);
    expect(answer.status).toBe(200);
    return answer.body as Record<string, any>;
  };

  beforeAll(async () => {
    flooded = await createTestApi({ reader: engine.clickhouse });
    const rows = Array.from({ length: 600 }, (_, index) =>
      rowLike(index, [controls, quotes, plain][index % 3]!, flooded.website.id),
    );
    await insertStored(engine.clickhouse, rows, { deduplicationToken: 'flooded' });
  });

  it('are cut with a mark in every list of single requests', async () => {
    for (const [path, list] of [
      ['/requests?limit=6&client_ip=66.249.66.9', 'requests'],
      ['/seo/requests?page_size=6', 'items'],
      ['/ips/66.249.66.9/requests?page_size=6', 'requests'],
      ['/live', 'requests'],
    ]) {
      const rows = (await read(path!))[list!].slice(0, 6) as Record<string, string>[];
      expect(rows).toHaveLength(6);
      for (const row of rows)
        for (const name of ['path', 'user_agent', 'referrer'].filter((name) => name in row)) {
          expect(row[name]).toMatch(/…$/);
          expect(Buffer.byteLength(JSON.stringify(row[name]))).toBeLessThanOrEqual(2_000);
          expect(row[name]!.length).toBeGreaterThan(300);
        }
      expect(rows[2]!.user_agent).toHaveLength(1_901);
    }
  });

  it('end an answer at 4 MiB, and its cursor reaches every row once', async () => {
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const answer = await read(
        `/requests?limit=500&client_ip=66.249.66.9${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(4.1 * 1024 ** 2);
      expect(answer.count).toBe(answer.requests.length);
      expect(answer.count).toBeLessThan(500);
      seen.push(...answer.requests.map(({ path }: { path: string }) => path.slice(0, 5)));
      cursor = answer.next_cursor;
    }
    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(
      Array.from({ length: 600 }, (_, index) =>
        `/${index}${[controls, quotes, plain][index % 3]}`.slice(0, 5),
      ),
    );
  });

  it('are uncut on request, in few rows', async () => {
    const answer = await read('/requests?client_ip=66.249.66.9&full_texts=true');
    expect(answer).toMatchObject({ count: 20, limit: 20, next_cursor: expect.any(String) });
    expect(answer.requests[0]).toMatchObject({ path: `/0${controls}`, referrer: controls });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(4.1 * 1024 ** 2);
  });
});
