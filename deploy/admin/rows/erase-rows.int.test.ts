import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { requestRowColumns, requestRows } from '../../../test/harness/request-rows.js';
import { storedTexts } from '../../../test/harness/stored-texts.js';
import {
  countOfAddress,
  countOwned,
  eraseAddress,
  eraseOwned,
  eraseTexts,
  findTables,
  isCovered,
} from './erase-rows.js';
import { findRollups } from './rollup-tables.js';

let store: TestClickHouse;
const command = (sql: string) => store.clickhouse.command(sql);
beforeAll(async () => {
  store = await startTestClickHouse();
  let batch = 0;
  for (const websiteId of ['w1', 'w2'])
    for (const day of [0, 30, 31])
      await store.clickhouse.insert({
        table: 'requests',
        columns: requestRowColumns,
        rows: requestRows({ batch: day, rows: 400, websiteId, start: Date.UTC(2026, 9, 1 + day) }),
        deduplicationToken: `batch ${batch++}`,
      });
  await command(
    "INSERT INTO claim_verdicts (website_id, bot_family, client_ip, decided, expires) SELECT website_id, 'Googlebot', client_ip, (now64(3), 'spoofed'), today() + 9 FROM requests GROUP BY website_id, client_ip",
  );
  await command(
    "INSERT INTO site_events (organisation_id, website_id, event_id, title) VALUES ('o1', 'w1', 'e1', 'erased title'), ('o1', '', 'e2', 'of all'), ('o2', 'w2', 'e3', 'of another')",
  );
  await command(
    `INSERT INTO alerts (website_id, alert_id, details, last_seen) VALUES
  ('w1', 'a1', 'erased', now()), ('w2', 'a2', 'from 10.0.9.1.', now()), ('w2', 'a3', 'from 10.0.9.11', now()), ('w2', 'a4', '{"ip":"10.0.9.1"}', now())`,
  );
  await command("INSERT INTO api_key_uses VALUES ('k1', now()), ('k2', now())");
  await command(
    "INSERT INTO control_snapshots (fingerprint, content, parts) VALUES ('f', 'erased@shop.example', 1)",
  );
});
afterAll(() => store?.stop());

let ids = 0;
const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }) };
const ask = <Row>(sql: string, row: z.ZodType<Row>) =>
  store.clickhouse.read({ name: 'test', sql, row, params: {} });
const count = async (from: string) =>
  (await ask(`SELECT count() AS n FROM ${from}`, z.object({ n: z.number() })))[0]!.n;

test('every table has a column that names the owner of a row', async () => {
  const uncovered = (await findTables(store.clickhouse)).filter((table) => !isCovered(table));
  expect(uncovered).toEqual([]);
  expect((await findTables(store.clickhouse)).length).toBeGreaterThan(20);
});

test('a table without such a column is found', () => {
  const columns = [{ name: 'note', type: 'String' }];
  expect(isCovered({ table: 'notes', columns })).toBe(false);
});

describe('an address', () => {
  const erased = { address: '10.0.9.1', websiteId: null };
  const texts = async () =>
    (await storedTexts(store.clickhouse)).filter(({ text }) => /10\.0\.9\.1(?!\d)/.test(text));

  test('is erased for one website only, with its verdict', async () => {
    expect(await texts()).not.toEqual([]);
    const there = await count("requests WHERE website_id = 'w2' AND client_ip = toIPv6('10.0.9.1')");
    expect(there).toBeGreaterThan(0);
    await eraseAddress(store.clickhouse, { ...erased, websiteId: 'w1' }, options);
    expect(await count("requests WHERE website_id = 'w1' AND client_ip = toIPv6('10.0.9.1')")).toBe(0);
    expect(
      await count("client_ips_per_hour WHERE website_id = 'w1' AND client_ip = toIPv6('10.0.9.1')"),
    ).toBe(0);
    expect(await count("requests WHERE website_id = 'w2' AND client_ip = toIPv6('10.0.9.1')")).toBe(there);
    expect(
      await ask(
        "SELECT website_id FROM claim_verdicts FINAL WHERE client_ip = toIPv6('10.0.9.1')",
        z.object({ website_id: z.string() }),
      ),
    ).toEqual([{ website_id: 'w2' }]);
  });

  test('is in no table afterwards, and every rollup equals its rows', async () => {
    expect(await countOfAddress(store.clickhouse, erased)).toMatchObject({ alerts: 2, claim_verdicts: 1 });
    const gone = await eraseAddress(store.clickhouse, erased, options);
    expect(gone.requests).toBeGreaterThan(0);
    expect(await texts()).toEqual([]);
    expect(await count("alerts WHERE alert_id IN ('a1', 'a3')")).toBe(2);
    for (const { view, select, target } of await findRollups(store.clickhouse)) {
      const states = await ask(
        `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${target}' AND type LIKE 'AggregateFunction%'`,
        z.object({ name: z.string() }),
      );
      const read =
        states.length === 0
          ? '*'
          : `* REPLACE (${states.map(({ name }) => `finalizeAggregation(${name}) AS ${name}`).join(', ')})`;
      const [held, made] = [
        await ask(`SELECT ${read} FROM ${target} FINAL ORDER BY ALL`, z.unknown()),
        await ask(`SELECT ${read} FROM (${select}) ORDER BY ALL`, z.unknown()),
      ];
      expect(held, view).toEqual(made);
    }
    expect(await countOfAddress(store.clickhouse, erased)).toEqual({});
  });

  test('is in no mutation text of the engine, and not in the lookup table of the mutations', async () => {
    const mutations = await ask('SELECT command FROM system.mutations', z.object({ command: z.string() }));
    expect(mutations.filter(({ command: text }) => text.includes('erasing'))).not.toEqual([]);
    expect(mutations.filter(({ command: text }) => text.includes('10.0.9.1'))).toEqual([]);
    expect(await count('erasing')).toBe(0);
  });
});

test('texts of a user are erased only in the user’s organisation, with the same fields as in the log', async () => {
  const by = 'CI (…abcd)';
  await command(
    `INSERT INTO site_events (organisation_id, website_id, event_id, title, category, description, created_by) VALUES ${['o8', 'o9'].map((organisation) => `('${organisation}', 'w-${organisation}', 'e9', 'Relaunch', 'api', 'text', '${by}')`).join()}`,
  );
  const scope = { organisationIds: ['o9'], keyNames: [by] };
  expect(await eraseTexts(store.clickhouse, scope, options)).toBe(1);
  expect(await eraseTexts(store.clickhouse, scope, options)).toBe(0);
  const entries = await ask(
    "SELECT organisation_id, title, category, description, created_by FROM site_events WHERE event_id = 'e9' ORDER BY organisation_id",
    z.unknown(),
  );
  expect(entries).toEqual([
    { organisation_id: 'o8', title: 'Relaunch', category: 'api', description: 'text', created_by: by },
    { organisation_id: 'o9', title: '[erased]', category: '', description: '', created_by: '[erased]' },
  ]);
  const mutations = await ask('SELECT command FROM system.mutations', z.object({ command: z.string() }));
  expect(mutations.filter(({ command: text }) => text.includes('CI ('))).toEqual([]);
  const cleared = "ALTER TABLE site_events DELETE WHERE event_id = 'e9'";
  await store.clickhouse.command(cleared, {}, { mutations_sync: 2 });
});

describe('an owner', () => {
  const owners = { website_id: ['w1'], organisation_id: ['o1'], api_key_id: ['k1'] };

  test('is erased from every table, and other owners keep all rows', async () => {
    const others = () =>
      Promise.all([
        count("requests WHERE website_id = 'w2'"),
        count("estimates_per_day WHERE website_id = 'w2'"),
        count("site_events WHERE organisation_id = 'o2'"),
        count("alerts WHERE website_id = 'w2'"),
      ]);
    const before = await others();
    expect(await countOwned(store.clickhouse, owners)).toMatchObject({
      requests: expect.any(Number),
      site_events: 2,
    });
    await eraseOwned(store.clickhouse, owners, options);
    expect(await others()).toEqual(before);
    expect(await countOwned(store.clickhouse, owners)).toEqual({});
    const texts = await storedTexts(store.clickhouse);
    expect(texts.filter(({ text }) => /\bw1\b|erased|\bo1\b|\bk1\b/.test(text))).toEqual([]);
    expect(texts.some(({ text }) => text.includes('of another'))).toBe(true);
    expect(await count("claim_verdicts WHERE website_id = 'w1'")).toBe(0);
  });
});
