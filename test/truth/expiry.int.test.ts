import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { fillStatement } from '../../shared/reads/hours/fill-statement.js';
import { keptRollupOf } from '../../shared/reads/hours/kept-rollups.js';
import * as tables from '../../shared/reads/sql/read-tables.js';
import { lastDayOf } from '../../shared/requests/last-day.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { ROLLUP_TABLES, rollupFilters } from '../harness/rollup-tables.js';
import { googlebot, insertStored, type StoredRequest, storedRequest } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';

/**
 * Rows, rollups and verdicts at the end of their retention. The engine's clock is real, so the rows are dated
 * in the past.
 */

let engine: TestClickHouse;
let today: number;
beforeAll(async () => {
  // The expectations are those of one UTC day.
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 120_000) await sleep(left + 1_000);
  today = Math.floor(Date.now() / DAY_MS);
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

async function ask<Row extends z.ZodRawShape>(sql: string, shape: Row) {
  return engine.clickhouse.read({ name: 'test', sql, params: {}, row: z.object(shape) });
}

interface Cohort {
  /** Days before today on which the rows arrived. */
  readonly daysAgo: number;
  readonly retentionDays: number;
}

/** At the last and the first moment of a day, one request each of a person and of a bot whose page is not found. */
function rowsOf(websiteId: string, { daysAgo, retentionDays }: Cohort): StoredRequest[] {
  const day = (today - daysAgo) * DAY_MS;
  return [0, 11 * HOUR_MS, DAY_MS - 1_000].flatMap((time) =>
    [
      { ai_operator: 'OpenAI' },
      { ...googlebot, status: 404, query: 'a=1', bot_verification: 'pending' as const },
    ].map((kind, index) =>
      storedRequest({
        ...kind,
        website_id: websiteId,
        // All cohorts are in the same buckets.
        timestamp: (today - 500) * DAY_MS + index * HOUR_MS,
        received_at: day + time,
        log_offset: daysAgo * 1_000 + retentionDays,
        log_index: time / 1_000 + index,
      }),
    ),
  );
}

const isAlive = ({ daysAgo, retentionDays }: Cohort) =>
  lastDayOf((today - daysAgo) * DAY_MS, retentionDays) >= today;

async function store(websiteId: string, cohorts: readonly Cohort[]) {
  for (const cohort of cohorts) {
    await insertStored(engine.clickhouse, rowsOf(websiteId, cohort), {
      deduplicationToken: `${websiteId}-${cohort.daysAgo}-${cohort.retentionDays}`,
      retentionDays: cohort.retentionDays,
    });
  }
}

const rollups = () => ask(`${ROLLUP_TABLES} ORDER BY table`, { table: z.string() });

describe('at the end of a retention', () => {
  const cohorts: Record<string, Cohort[]> = {
    'one plan': [
      { daysAgo: 29, retentionDays: 30 },
      { daysAgo: 30, retentionDays: 30 },
      { daysAgo: 31, retentionDays: 30 },
    ],
    'a plan of 30 days, then of 400, then of 30': [
      { daysAgo: 45, retentionDays: 30 },
      { daysAgo: 44, retentionDays: 400 },
      { daysAgo: 40, retentionDays: 400 },
      { daysAgo: 31, retentionDays: 30 },
      { daysAgo: 30, retentionDays: 30 },
    ],
    'the same day before and after a change of plan': [
      { daysAgo: 31, retentionDays: 30 },
      { daysAgo: 31, retentionDays: 400 },
      { daysAgo: 401, retentionDays: 400 },
      { daysAgo: 400, retentionDays: 400 },
    ],
    'all of it over': [
      { daysAgo: 401, retentionDays: 400 },
      { daysAgo: 60, retentionDays: 30 },
    ],
  };

  test.each(Object.entries(cohorts))(
    'rows and every rollup agree, and contain the unexpired requests: %s',
    async (name, given) => {
      await store(name, given);
      const tables = (await rollups()).map(({ table }) => table);
      expect(tables.length).toBeGreaterThanOrEqual(15);
      for (const table of ['requests', ...tables])
        await engine.clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const alive = given.filter(isAlive).length;
      for (const table of tables) {
        const [stored] = await ask(
          `SELECT countIf(${rollupFilters[table] ?? 'true'}) AS stored FROM requests WHERE website_id = '${name}'`,
          { stored: z.number() },
        );
        const [counted] = await ask(
          `SELECT sum(requests) AS counted FROM ${table} WHERE website_id = '${name}'`,
          { counted: z.number() },
        );
        const perCohort = rollupFilters[table] === undefined ? 6 : 3;
        expect([table, stored!.stored, counted!.counted]).toEqual([
          table,
          alive * perCohort,
          alive * perCohort,
        ]);
      }
    },
  );

  test('rows that are read into memory come with the time when the first row or address expires', async () => {
    const start = (today - 20) * DAY_MS;
    const row = { ...googlebot, website_id: 'kept', status: 404, received_at: start };
    const first = storedRequest({ ...row, timestamp: start });
    const second = storedRequest({ ...row, timestamp: start + HOUR_MS });
    for (const [rows, retentionDays, addressDays] of [
      [[first, second], 400, 0],
      [[first], 40, 30],
    ] as const)
      await insertStored(engine.clickhouse, rows, {
        ...{ retentionDays, addressDays },
        deduplicationToken: `kept-${retentionDays}`,
      });
    const lastDays = async (rollup: tables.Rollup, unit: number) => {
      const ranges = [{ from: start, to: start + DAY_MS }];
      const wanted = { rollup: keptRollupOf(rollup)!, unit, ranges };
      const buckets = await engine.clickhouse.read(fillStatement(wanted, ['kept']));
      return buckets
        .sort((a, b) => a.start - b.start)
        .map(({ expiresAt }) => (expiresAt - start) / DAY_MS - 1);
    };
    const { traffic, bots, estimates, botEstimates, paths, clientIps, crawlerPaths, notFound } = tables;
    for (const rollup of [traffic, bots, estimates, botEstimates]) {
      expect(await lastDays(rollup, HOUR_MS)).toEqual([40, 400]);
      expect(await lastDays(rollup, MINUTE_MS)).toEqual([30, 400]);
    }
    for (const rollup of [paths, clientIps, crawlerPaths, notFound]) {
      const days = rollup === clientIps ? 30 : 40;
      expect(await lastDays(rollup, DAY_MS)).toEqual([days]);
      expect(await lastDays(rollup, HOUR_MS)).toEqual([days, 400]);
      expect(await lastDays(rollup, MINUTE_MS)).toEqual([30, 400]);
    }
  });

  test('a verdict expires with the last of its rows', async () => {
    const verdict = (clientIp: string, lastDay: number) =>
      ({
        websiteId: 'site',
        family: 'Google',
        clientIp,
        status: 'spoofed',
        decidedAt: (today - 40) * DAY_MS,
        lastDay,
      }) as const;
    for (const [index, verdicts] of [
      [verdict('192.0.2.1', today - 1), verdict('192.0.2.2', today), verdict('192.0.2.3', today - 1)],
      [verdict('192.0.2.3', today + 300)],
      [verdict('192.0.2.3', today - 1)],
    ].entries()) {
      await insertVerdicts(engine.clickhouse, verdicts, `verdicts-${index}`);
    }
    await engine.clickhouse.command('OPTIMIZE TABLE claim_verdicts FINAL');
    expect(
      await ask('SELECT toString(client_ip) AS ip FROM claim_verdicts ORDER BY ip', { ip: z.string() }),
    ).toEqual([{ ip: '::ffff:192.0.2.2' }, { ip: '::ffff:192.0.2.3' }]);
  });
});
