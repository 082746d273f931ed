import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLiveFeed } from '../../services/api/operations/requests/live-sql.js';
import { readSegmentBreakdown } from '../../services/api/operations/segments/segments-breakdown-sql.js';
import { createVerdictStore } from '../../services/enricher/verification/store-verdicts.js';
import { DAY_MS } from '../../shared/durations.js';
import { botsAccess } from '../../shared/reads/bots/bot-access.js';
import { bots } from '../../shared/reads/bots/bots.js';
import { searchRequests } from '../../shared/reads/requests/request-rows-sql.js';
import { ips } from '../../shared/reads/traffic/ips.js';
import { summary } from '../../shared/reads/traffic/summary.js';
import { traffic } from '../../shared/reads/traffic/traffic.js';
import { paths } from '../../shared/reads/urls/paths.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';

/** The cost of a read beside a flood of verdicts, as rows that the engine may read instead of seconds. */

const FLOOD = 400_000;
/** A read may touch a few granules of 8,192 rows of the flood's verdicts, never the table. */
const MOST_ROWS = 100_000;
const NOW = Date.UTC(2026, 10, 3, 14, 37);

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await flood('flooder');
  await flood('shop');
  const claim = (client_ip: string, daysAgo: number) =>
    storedRequest({
      ...googlebot,
      website_id: 'shop',
      timestamp: NOW - daysAgo * DAY_MS,
      received_at: Date.now(),
      bot_verification: 'pending',
      client_ip,
    });
  await insertStored(
    engine.clickhouse,
    [claim('192.0.2.1', 1), claim('192.0.2.2', 1), claim('192.0.2.3', 1)],
    {
      deduplicationToken: 'rows',
    },
  );
  const verdict = { websiteId: 'shop', family: 'Google', decidedAt: NOW };
  await insertVerdicts(
    engine.clickhouse,
    [
      { ...verdict, clientIp: '192.0.2.1', status: 'verified' },
      { ...verdict, clientIp: '192.0.2.2', status: 'spoofed' },
    ],
    'verdicts',
  );
  await engine.clickhouse.command('OPTIMIZE TABLE claim_verdicts FINAL');
}, 180_000);
afterAll(() => engine?.stop());

const flood = (websiteId: string) =>
  engine.clickhouse.command(
    `INSERT INTO claim_verdicts
     SELECT '${websiteId}', 'Google', toIPv6(concat('2001:db8:', hex(intDiv(number, 65536)), ':', hex(number % 65536), '::1')),
       tuple(now64(3), 'spoofed'), today() + 30
     FROM numbers(${FLOOD})`,
  );

/** A statement that reads more rows than allowed fails. */
const bounded: ClickHouseReader = {
  async read(query) {
    // The engine compares its setting with rows that it need not read because of a limit.
    if (query.name !== 'verdicts.late')
      return engine.clickhouse.read({
        ...query,
        sql: `${query.sql}\nSETTINGS max_rows_to_read = ${MOST_ROWS}`,
      });
    let read = 0;
    const rows = await engine.clickhouse.read({
      ...query,
      report: ({ rowsRead }) => {
        read = rowsRead;
      },
    });
    expect(read).toBeLessThan(MOST_ROWS);
    return rows;
  },
};

const scopeOf = (websiteId: string) => ({
  websiteId,
  window: { start: NOW - 30 * DAY_MS, end: NOW },
  filters: {},
});

const search = (websiteId: string, botVerified?: boolean) =>
  searchRequests(bounded, {
    scope: scopeOf(websiteId),
    filters: { botVerified },
    after: null,
    limit: 10,
    offset: 0,
  });

describe.each(['shop', 'silent'])('among millions of verdicts, website %s', (websiteId) => {
  const expected = websiteId === 'shop' ? 1 : 0;
  const scope = scopeOf(websiteId);

  test('reads only the verdicts of its pending claims: bots', async () => {
    const all = await bots.read(bounded, scope, {});
    expect(all.totals).toMatchObject({
      verified_requests: expected,
      spoofed_requests: expected,
      pending_requests: expected,
    });
    expect(all.bots.map((bot) => bot.spoofed_requests)).toEqual(expected === 0 ? [] : [1]);
    expect(all.by_category.map((category) => category.verified_requests)).toEqual(expected === 0 ? [] : [1]);
    const access = await botsAccess.read(bounded, scope, { limit: 5 });
    expect(access.bots.map((bot) => bot.served.verified)).toEqual(expected === 0 ? [] : [1]);
  });

  test('reads only the verdicts of its pending claims: requests that late verdicts move to another class', async () => {
    expect(await summary.read(bounded, scope, {})).toMatchObject({ spoofed_bot_requests: expected });
    expect((await traffic.read(bounded, scope, {})).totals).toMatchObject({ spoofed_bot_requests: expected });
    const { paths: rows } = await paths.read(bounded, scope, { limit: 5 });
    expect(rows.map((row) => row.spoofed_bot_requests)).toEqual(expected === 0 ? [] : [1]);
  });

  test('reads only the verdicts of its pending claims: addresses and segments', async () => {
    const { ips: rows } = await ips.read(bounded, scope, { limit: 5 });
    const claims = rows.flatMap((row) => row.claims.map((claim) => claim.bot_verification_status));
    expect(claims).toEqual(expected === 0 ? [] : ['verified', 'spoofed', 'pending']);
    const { all } = await readSegmentBreakdown(bounded, scope, [], 'verified');
    expect(all.verified_search_requests).toBe(expected);
  });

  test('reads only the verdicts of its pending claims: single requests', async () => {
    const verificationsOf = (rows: readonly { verification: string }[]) =>
      rows.map((row) => row.verification).sort();
    const every = expected === 0 ? [] : ['pending', 'spoofed', 'verified'];
    expect(verificationsOf(await search(websiteId))).toEqual(every);
    expect(verificationsOf(await search(websiteId, true))).toEqual(every.slice(2));
    expect(verificationsOf(await search(websiteId, false))).toEqual(every.slice(1, 2));
    const live = await readLiveFeed(bounded, {
      websiteId,
      type: 'all',
      segment: null,
      until: NOW,
      limit: 10,
    });
    expect(verificationsOf(live)).toEqual(every);
  });
});

test('a verdict that the store wrote just before is read', async () => {
  const store = createVerdictStore(engine.clickhouse, { warn() {} } as never);
  store.add({
    websiteId: 'shop',
    family: 'Google',
    clientIp: '192.0.2.3',
    status: 'unverifiable',
    decidedAt: NOW + 1,
    lastDay: 40_000,
  });
  await store.stop();
  const { totals } = await bots.read(bounded, scopeOf('shop'), {});
  expect(totals).toMatchObject({
    unverifiable_requests: 1,
    pending_requests: 0,
  });
});
