import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCrawlerRules, loadRuleData, type RuleData } from '../../../shared/crawlers/crawler-rules.js';
import { createJudge } from '../../../shared/crawlers/judge-request.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { contentsOf, requestTables } from '../../../test/harness/stored-contents.js';
import { insertStored, type StoredRequest, storedRequest } from '../../../test/harness/stored-requests.js';
import { reclassifyRows, websitesOf } from './reclassify-rows.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

const DAYS = ['2026-11-10', '2026-11-11', '2026-11-12'];
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const acme = 'Mozilla/5.0 (compatible; AcmeFetch/1.2; +https://acme.example)';

const data = loadRuleData();
const list = (feed: string, since: string, ...prefixes: string[]) => ({
  feed,
  operator: 'Acme AI',
  urls: ['https://acme.example/ranges'],
  published: null,
  retrieved: since,
  prefixes,
});
/** The later table verifies AcmeFetch by address ranges, which change, and Bytespider by DNS. It has no GPTBot. */
const later: RuleData = {
  table: {
    ...data.table,
    crawlers: [
      ...data.table.crawlers.filter(({ name }) => name !== 'GPTBot'),
      {
        name: 'AcmeFetch',
        operator: 'Acme AI',
        family: 'Acme',
        tokens: ['AcmeFetch'],
        category: 'ai',
        intent: 'search',
      },
    ],
    families: [
      ...data.table.families,
      { name: 'Acme', feeds: ['acme'], documentation: 'https://acme.example' },
      { name: 'ByteDance', hosts: ['*.bytespider.example.com'], documentation: 'https://acme.example' },
    ],
  },
  feeds: [
    ...data.feeds,
    {
      name: 'acme',
      operator: 'Acme AI',
      urls: ['https://acme.example/ranges'],
      format: 'prefixes',
      min_prefixes: 1,
      max_prefixes: 9,
      agents_only: true,
    },
  ],
  history: new Map([
    ...data.history,
    ['acme', [list('acme', '2026-09-01', '203.0.113.0/28'), list('acme', '2026-11-12', '203.0.113.16/28')]],
  ]),
};

const judgeBefore = createJudge(createCrawlerRules(data), 100);
const judgeLater = createJudge(createCrawlerRules(later), 100);
type Judge = typeof judgeBefore;

const clients: Partial<StoredRequest>[] = [
  { user_agent: browser, client_ip: '192.0.2.1' },
  { user_agent: browser, client_ip: '192.0.2.1', cdn_bot_category: 'AI Assistant' },
  { user_agent: browser, client_ip: '203.0.113.1', ai_operator: 'OpenAI' },
  { user_agent: browser, client_ip: '203.0.113.17' },
  { user_agent: acme, client_ip: '203.0.113.1' },
  { user_agent: acme, client_ip: '203.0.113.17' },
  { user_agent: acme, client_ip: '2001:db8::1', status: 403 },
  { user_agent: 'GPTBot/1.2', client_ip: '20.171.206.9' },
  { user_agent: 'GPTBot/1.2', client_ip: '192.0.2.9', status: 403 },
  { user_agent: 'Bytespider', client_ip: '192.0.2.3' },
  { user_agent: 'Bytespider', client_ip: '192.0.2.4', cdn_bot_category: 'AI Crawler' },
  { user_agent: 'YandexBot/3.0', client_ip: '192.0.2.5' },
  { user_agent: '', client_ip: '192.0.2.6' },
];

/** Requests of three days, classified on arrival. DNS has a result for one Yandex address and none for Bytespider. */
function rowsOf(websiteId: string, judge: Judge): StoredRequest[] {
  return DAYS.flatMap((day) =>
    clients.flatMap((client, index) =>
      [0, 1, 2].map((hour) => {
        const request = storedRequest({
          ...client,
          website_id: websiteId,
          timestamp: Date.parse(day) + hour * 7 * 3_600_000,
          log_offset: DAYS.indexOf(day),
          log_index: index * 3 + hour,
          path: `/${index}`,
        });
        return { ...request, ...judge(request, (family) => (family === 'Yandex' ? 'verified' : 'pending')) };
      }),
    ),
  );
}

const load = (websiteId: string, judge: Judge) =>
  insertStored(store.clickhouse, rowsOf(websiteId, judge), { deduplicationToken: `${websiteId} ${ids}` });

/** Stores one request of each user agent, on the first day. */
const storedOn =
  (userAgents: readonly string[]) =>
  (websiteId: string, judge: Judge): StoredRequest[] =>
    userAgents.map((user_agent, index) => {
      const timestamp = Date.parse(DAYS[0]!) + index * 1_000;
      const request = storedRequest({ website_id: websiteId, timestamp, log_index: index, user_agent });
      return { ...request, ...judge(request, () => 'pending') };
    });

/** Rules that know no bot. */
const asPeople: Judge = (request, askDns) => judgeBefore({ ...request, user_agent: browser }, askDns);

const ask = (sql: string) =>
  store.clickhouse.read({ name: 'test', sql, row: z.record(z.string(), z.unknown()), params: {} });

const contents = (websiteId: string) => contentsOf(store.clickhouse, websiteId);

let ids = 0;
const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }), judge: judgeLater };
const stretch = { websiteId: 'old', from: DAYS[0]!, to: DAYS[2]! };

beforeEach(async () => {
  ids += 1;
  for (const table of await requestTables(store.clickhouse))
    await store.clickhouse.command(`TRUNCATE TABLE ${table}`);
  await load('old', judgeBefore);
  await load('other', judgeBefore);
});

describe('reclassified rows', { timeout: 300_000 }, () => {
  test('equal a fresh load under the new rules, as does every rollup; a repeat changes nothing', async () => {
    await load('fresh', judgeLater);
    const fresh = await contents('fresh');
    const other = await contents('other');
    expect(await contents('old')).not.toEqual(fresh);
    const lines: { msg: string; changed: number }[] = [];
    const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const report = await reclassifyRows(store.clickhouse, stretch, { ...options, logger, pageSize: 4 });
    expect(report).toMatchObject({ days: 3, rows: rowsOf('old', judgeBefore).length });
    const byDay = lines
      .filter(({ msg }) => msg === 'rows of a day reclassified')
      .map(({ changed }) => changed);
    expect(byDay).toHaveLength(3);
    expect(byDay.reduce((sum, changed) => sum + changed, 0)).toBe(report.changed);
    expect(report.changed).toBeGreaterThan(30);
    expect(await contents('old')).toEqual(fresh);
    expect(await reclassifyRows(store.clickhouse, stretch, options)).toEqual({ ...report, changed: 0 });
    expect(await contents('old')).toEqual(fresh);
    expect(await contents('other')).toEqual(other);
  });

  test('are the same after attempts that crashed after any number of statements', async () => {
    await load('fresh', judgeLater);
    const fresh = await contents('fresh');
    for (const limit of [0, 1, 2, 4, 7, 12, 20, 27]) {
      let left = limit;
      const cutOff: ClickHouse = {
        ...store.clickhouse,
        async command(...call) {
          if (left-- <= 0) throw new Error('cut off');
          await store.clickhouse.command(...call);
        },
      };
      await expect(reclassifyRows(cutOff, stretch, options)).rejects.toThrow('cut off');
    }
    await reclassifyRows(store.clickhouse, stretch, options);
    expect(await contents('old')).toEqual(fresh);
  });

  test('are only those of the named days', async () => {
    const ofDay = (day: string) =>
      ask(
        `SELECT DISTINCT rules_version FROM requests WHERE website_id = 'old' AND toDate(timestamp) = '${day}'`,
      );
    const before = await ofDay(DAYS[0]!);
    const report = await reclassifyRows(
      store.clickhouse,
      { ...stretch, from: DAYS[1]!, to: DAYS[1]! },
      options,
    );
    expect(report).toMatchObject({ days: 1, rows: clients.length * 3 });
    expect([await ofDay(DAYS[0]!), await ofDay(DAYS[2]!)]).toEqual([before, before]);
    expect(await ofDay(DAYS[1]!)).not.toEqual(before);
  });

  test('belong to the websites with rows in these days', async () => {
    expect(await websitesOf(store.clickhouse, { from: DAYS[1]!, to: DAYS[1]! })).toEqual(['old', 'other']);
    expect(await websitesOf(store.clickhouse, { from: '2026-11-13', to: '2026-11-20' })).toEqual([]);
  });

  test('become probes if their crawler is now an attack tool, and existing probes stay probes', async () => {
    const day = storedOn(['sqlmap/1.7', acme, browser]);
    const [tool, ...others] = day('tools', asPeople);
    const [guessed, ...rest] = others;
    await insertStored(store.clickhouse, [tool!, { ...guessed!, is_probe: true }, ...rest], {
      deduplicationToken: `tools ${ids}`,
    });
    await reclassifyRows(store.clickhouse, { ...stretch, websiteId: 'tools' }, options);
    expect(
      await ask("SELECT bot_name, is_probe FROM requests WHERE website_id = 'tools' ORDER BY timestamp"),
    ).toEqual([
      { bot_name: 'sqlmap', is_probe: true },
      { bot_name: 'AcmeFetch', is_probe: true },
      { bot_name: '', is_probe: false },
    ]);
  });

  test('need no more mutations for names that clients invent', async () => {
    const madeUp = Array.from(
      { length: 1_500 },
      (_, index) => `Acme${index}bot/1.0 (+http://acme.example/bot)`,
    );
    const day = storedOn(madeUp);
    await insertStored(store.clickhouse, day('names', asPeople), { deduplicationToken: `names ${ids}` });
    await insertStored(store.clickhouse, day('fresh', judgeLater), { deduplicationToken: `fresh ${ids}` });
    let mutations = 0;
    const counted: ClickHouse = {
      ...store.clickhouse,
      async command(sql, ...rest) {
        if (sql.startsWith('ALTER TABLE requests ') && ++mutations > 2) throw new Error('a third mutation');
        await store.clickhouse.command(sql, ...rest);
      },
    };
    const report = await reclassifyRows(counted, { ...stretch, websiteId: 'names' }, options);
    expect(report).toEqual({ days: 1, rows: madeUp.length, changed: madeUp.length });
    expect(await contents('names')).toEqual(await contents('fresh'));
  });

  test('are read in pages limited by the bytes of their user agents', async () => {
    const long = Array.from({ length: 12 }, (_, index) => `${index}bot ${'x'.repeat(8_000)}`);
    const day = storedOn(long);
    await insertStored(store.clickhouse, day('long', asPeople), { deduplicationToken: `long ${ids}` });
    await insertStored(store.clickhouse, day('fresh', judgeLater), { deduplicationToken: `fresh ${ids}` });
    const bytes: number[] = [];
    const measured: ClickHouse = {
      ...store.clickhouse,
      async read(query) {
        const rows = await store.clickhouse.read(query);
        if (query.name === 'reclassify.groups') bytes.push(JSON.stringify(rows).length);
        return rows;
      },
    };
    const small = { ...options, pageBytes: 25_000 };
    const report = await reclassifyRows(measured, { ...stretch, websiteId: 'long' }, small);
    expect(report.changed).toBe(long.length);
    expect(bytes.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...bytes)).toBeLessThan(30_000);
    await reclassifyRows(measured, { ...stretch, websiteId: 'long' }, { ...options, pageBytes: 1 });
    expect(await contents('long')).toEqual(await contents('fresh'));
  });
});
