import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../test/harness/stored-requests.js';
import { findTables } from './erase-rows.js';
import { countOtherDays, keepAddressesFor } from './keep-addresses.js';
import { rebuildRollups } from './rebuild-rollups.js';
import { reclassifyRows } from './reclassify-rows.js';
import { findRollups } from './rollup-tables.js';

let store: TestClickHouse;
let clickhouse: ClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
  clickhouse = store.clickhouse;
});
afterAll(() => store?.stop());

let ids = 0;
const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }) };
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const at = (daysAgo: number) => TODAY - daysAgo * DAY_MS + HOUR_MS;
const dayOf = (daysAgo: number) => new Date(at(daysAgo)).toISOString().slice(0, 10);
const OLD = 10;
const NEW = 1;

const ask = <Row>(sql: string, row: z.ZodType<Row>) =>
  clickhouse.read({ name: 'test', sql, row, params: {} });

async function targets(): Promise<string[]> {
  return (await findRollups(clickhouse)).flatMap(({ target, fed }) => [
    target,
    ...fed.map((one) => one.target),
  ]);
}

/** Contents of the website's rollups, except those by address. */
async function counted(websiteId: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const target of (await targets()).filter((name) => !name.startsWith('client_ips_'))) {
    const columns = await ask(
      `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '${target}' ORDER BY position`,
      z.object({ name: z.string(), type: z.string() }),
    );
    const read = columns.map(({ name, type }) =>
      type.startsWith('AggregateFunction') ? `finalizeAggregation(${name}) AS ${name}` : name,
    );
    found[target] = await ask(
      `SELECT ${read.join(', ')} FROM ${target} FINAL WHERE website_id = '${websiteId}' ORDER BY ALL`,
      z.unknown(),
    );
  }
  return found;
}

/** Number of occurrences of the address in any column, by table. */
async function holding(address: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { table, columns } of await findTables(clickhouse)) {
    const addresses = columns.filter(({ type }) => type === 'IPv6').map(({ name }) => name);
    if (addresses.length === 0) continue;
    const where = addresses.map((name) => `${name} = toIPv6('${address}')`).join(' OR ');
    const [row] = await ask(`SELECT count() AS n FROM ${table} WHERE ${where}`, z.object({ n: z.number() }));
    if (row!.n > 0) found[table] = row!.n;
  }
  return found;
}

async function mergeAll(): Promise<void> {
  for (const table of ['requests', ...(await targets())])
    await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
}

/** Requests of one hour, as the enricher stores them: three people, a verified crawler, and a claim without a DNS result. */
function visits(websiteId: string, daysAgo: number, addressDays: number): StoredRequest[] {
  const of = { website_id: websiteId, timestamp: at(daysAgo), received_at: at(daysAgo), log_offset: daysAgo };
  const claims = { ...googlebot, bot_verification: addressDays > 0 ? 'unverifiable' : 'pending' } as const;
  const given: Partial<StoredRequest>[] = [
    { client_ip: `198.51.100.${daysAgo}` },
    { client_ip: `203.0.113.${daysAgo}` },
    { client_ip: `192.0.2.${daysAgo}`, path: '/shop', ai_operator: 'OpenAI' },
    { ...googlebot, client_ip: `66.249.66.${daysAgo}` },
    { ...claims, client_ip: `198.18.0.${daysAgo}`, path: '/fake' },
  ];
  return given.map((one, index) => storedRequest({ ...of, log_index: index, ...one }));
}

const storeVisits = (websiteId: string, daysAgo: number, addressDays = 0) =>
  insertStored(clickhouse, visits(websiteId, daysAgo, addressDays), {
    deduplicationToken: `${websiteId}-${daysAgo}-${ids++}`,
    retentionDays: 400,
    addressDays,
  });

beforeEach(async () => {
  for (const table of ['requests', 'claim_verdicts', ...(await targets())])
    await clickhouse.command(`TRUNCATE TABLE ${table}`);
});

describe('addresses that are kept for fewer days than requests', () => {
  test('are removed from every table after their last day, and counts of them stay', async () => {
    await storeVisits('w1', OLD, 5);
    await storeVisits('w1', NEW, 5);
    const before = await counted('w1');
    await mergeAll();
    expect(await counted('w1')).toEqual(before);
    for (const address of ['198.51.100', '203.0.113', '192.0.2', '66.249.66'])
      expect(await holding(`::ffff:${address}.${OLD}`)).toEqual({});
    expect(Object.keys(await holding(`::ffff:198.51.100.${NEW}`)).sort()).toEqual([
      'client_ips_per_hour',
      'requests',
    ]);
    expect(await ask('SELECT count() AS n FROM requests', z.object({ n: z.number() }))).toEqual([{ n: 10 }]);
  });

  test('are still counted by rollups that are rebuilt afterwards', async () => {
    await storeVisits('w1', OLD, 5);
    await storeVisits('w1', NEW, 5);
    await mergeAll();
    const before = await counted('w1');
    await clickhouse.command(
      "ALTER TABLE traffic_per_hour DELETE WHERE website_id = 'w1'",
      {},
      { mutations_sync: 2 },
    );
    const days = [OLD, NEW].map((daysAgo) => ({ websiteId: 'w1', day: dayOf(daysAgo) }));
    await rebuildRollups(clickhouse, days, options);
    expect(await counted('w1')).toEqual(before);
    expect(await holding('::')).not.toHaveProperty('client_ips_per_hour');
  });

  test('are needed to reclassify a row: without its address, a row keeps its judgement', async () => {
    await storeVisits('w1', OLD, 5);
    await storeVisits('w1', NEW, 5);
    await mergeAll();
    const judge = () =>
      ({
        ...googlebot,
        verification_method: '',
        ai_intent: '',
        bot_name: 'Another',
        rules_version: 'new',
      }) as never;
    await reclassifyRows(
      clickhouse,
      { websiteId: 'w1', from: dayOf(OLD), to: dayOf(0) },
      { ...options, judge },
    );
    const named = await ask(
      "SELECT toString(toDate(received_at)) AS day, countIf(bot_name = 'Another') AS changed, count() AS n FROM requests GROUP BY day ORDER BY day",
      z.object({ day: z.string(), changed: z.number(), n: z.number() }),
    );
    expect(named).toEqual([
      { day: dayOf(OLD), changed: 0, n: 5 },
      { day: dayOf(NEW), changed: 5, n: 5 },
    ]);
  });
});

describe('a new number of days for stored rows', () => {
  const verdicts = (websiteId: string) =>
    clickhouse.command(`INSERT INTO claim_verdicts (website_id, bot_family, client_ip, decided, expires)
SELECT '${websiteId}', 'Google', toIPv6('::ffff:198.18.0.${OLD}'), (now64(3), 'spoofed'), today() + 400`);

  const bots = (websiteId: string) =>
    ask(
      `SELECT bot_verification AS verification, sum(requests) AS n FROM bots_per_hour WHERE website_id = '${websiteId}' GROUP BY verification ORDER BY verification`,
      z.object({ verification: z.string(), n: z.number() }),
    );

  const uniques = (websiteId: string) =>
    ask(
      `SELECT day, uniqCombined64Merge(14)(client_ips) AS n FROM estimates_per_day WHERE website_id = '${websiteId}' GROUP BY day ORDER BY day`,
      z.object({ day: z.string(), n: z.number() }),
    );

  async function storeBoth(): Promise<void> {
    for (const websiteId of ['w1', 'w2']) {
      await storeVisits(websiteId, OLD);
      await storeVisits(websiteId, NEW);
      await verdicts(websiteId);
    }
  }

  /** Checks all tables after the days were set for w1. */
  async function expectFive(): Promise<void> {
    const gone = await holding(`::ffff:198.51.100.${OLD}`);
    const ofOther = await ask(
      `SELECT count() AS n FROM requests WHERE website_id = 'w2' AND client_ip = toIPv6('::ffff:198.51.100.${OLD}')`,
      z.object({ n: z.number() }),
    );
    // The remaining addresses belong to the other website.
    expect(gone).toEqual({ client_ips_per_hour: 1, requests: 1 });
    expect(ofOther).toEqual([{ n: 1 }]);
    expect(await holding(`::ffff:198.18.0.${OLD}`)).toMatchObject({
      claim_verdicts: 1,
      bots_per_hour: 1,
      requests: 1,
    });
    expect(await uniques('w1')).toEqual([
      { day: dayOf(OLD), n: 5 },
      { day: dayOf(NEW), n: 5 },
    ]);
    // The row contains the late verdict; a claim without a verdict never gets one.
    expect(await bots('w1')).toEqual([
      { verification: 'spoofed', n: 1 },
      { verification: 'unverifiable', n: 1 },
      { verification: 'verified', n: 2 },
    ]);
    expect(await countOtherDays(clickhouse, 'w1', 5)).toBe(0);
  }

  test('removes expired addresses, writes late verdicts into the rows, and changes no counts or other websites', async () => {
    await storeBoth();
    const other = await counted('w2');
    const report = await keepAddressesFor(clickhouse, { websiteId: 'w1', days: 5 }, options);
    expect(report).toEqual({ rows: 10, cleared: 5 });
    await expectFive();
    expect(await counted('w2')).toEqual(other);
    const again = await keepAddressesFor(clickhouse, { websiteId: 'w1', days: 5 }, options);
    expect(again).toEqual({ rows: 0, cleared: 0 });
    await expectFive();
  });

  test('ends in the same state after a crash between any two statements', {
    timeout: 300_000,
  }, async () => {
    await storeBoth();
    for (const limit of [1, 2, 3, 4, 5, 6, 9, 20]) {
      let left = limit;
      const cutOff = {
        ...clickhouse,
        async command(...call: Parameters<ClickHouse['command']>) {
          if (left-- <= 0) throw new Error('cut off');
          await clickhouse.command(...call);
        },
      };
      await expect(keepAddressesFor(cutOff, { websiteId: 'w1', days: 5 }, options)).rejects.toThrow(
        'cut off',
      );
    }
    await keepAddressesFor(clickhouse, { websiteId: 'w1', days: 5 }, options);
    await expectFive();
  });

  test('applies to existing addresses: the next merge after their new last day removes them', async () => {
    await storeVisits('w1', OLD);
    // Simulates an earlier setting whose last day has passed.
    await clickhouse.command(
      "ALTER TABLE requests UPDATE address_days = 5 WHERE website_id = 'w1'",
      {},
      { mutations_sync: 2 },
    );
    await mergeAll();
    expect((await holding(`::ffff:198.51.100.${OLD}`)).requests).toBeUndefined();
  });

  test('can be reverted for existing addresses', async () => {
    await storeBoth();
    await keepAddressesFor(clickhouse, { websiteId: 'w1', days: 5 }, options);
    expect(await keepAddressesFor(clickhouse, { websiteId: 'w1', days: 0 }, options)).toEqual({
      rows: 5,
      cleared: 0,
    });
    const kept = await ask(
      "SELECT address_days AS days, countIf(client_ip = toIPv6('::')) AS gone, count() AS n FROM requests WHERE website_id = 'w1' GROUP BY days ORDER BY days",
      z.object({ days: z.number(), gone: z.number(), n: z.number() }),
    );
    expect(kept).toEqual([
      { days: 0, gone: 0, n: 5 },
      { days: 5, gone: 5, n: 5 },
    ]);
    expect((await uniques('w1')).map(({ n }) => n)).toEqual([5, 5]);
  });
});
