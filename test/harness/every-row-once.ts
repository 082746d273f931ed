import { expect } from 'vitest';
import { z } from 'zod';
import type { ClickHouse } from '../../shared/store/client.js';
import { LINES_PER_UPLOAD } from './request-stream.js';
import { ROLLUP_TABLES, rollupFilters } from './rollup-tables.js';

const figureRow = z.object({ n: z.number() });

async function figure(clickhouse: ClickHouse, expression: string, from: string): Promise<number> {
  const [row] = await clickhouse.read({
    name: 'test',
    sql: `SELECT toFloat64(${expression}) AS n FROM ${from}`,
    params: {},
    row: figureRow,
  });
  return row?.n ?? 0;
}

/** An upload's deliveries: how often it was sent, and how often the answer was 200. */
export interface Deliveries {
  sent: number;
  answered: number;
}

/**
 * Expects each upload's rows once for each answered delivery; a delivery without an answer may be stored too.
 * No row is stored twice, and every rollup counts the table's rows.
 */
export async function expectEveryRowOnce(
  clickhouse: ClickHouse,
  deliveries: ReadonlyMap<string, Deliveries>,
): Promise<{ rows: number }> {
  const uploads = await readUploads(clickhouse);
  expect(uploads.filter(({ rows, places }) => rows !== places)).toEqual([]);
  const stored = new Map(uploads.map(({ upload, rows }) => [upload, rows]));
  const wrong = [...deliveries]
    .map(([upload, { sent, answered }]) => ({ upload, sent, answered, rows: stored.get(upload) ?? 0 }))
    .filter(
      ({ sent, answered, rows }) =>
        rows < answered * LINES_PER_UPLOAD || rows > sent * LINES_PER_UPLOAD || rows % LINES_PER_UPLOAD !== 0,
    );
  expect(wrong).toEqual([]);
  await expectRollupsToAgree(clickhouse);
  return { rows: uploads.reduce((sum, { rows }) => sum + rows, 0) };
}

/** Rows that the engine can deduplicate in one statement. */
const ROWS_A_SLICE = 2_000_000;

async function readUploads(clickhouse: ClickHouse) {
  const slices = Math.max(1, Math.ceil((await figure(clickhouse, 'count()', 'requests')) / ROWS_A_SLICE));
  const uploads: { upload: string; rows: number; places: number }[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const found = await clickhouse.read({
      name: 'test',
      sql: `SELECT splitByChar('-', request_id)[1] AS upload, count() AS rows,
            uniqExact(log_partition, log_offset, log_index) AS places
          FROM requests WHERE cityHash64(upload) % {slices: UInt32} = {slice: UInt32} GROUP BY upload`,
      params: { slices, slice },
      row: z.object({ upload: z.string(), rows: z.number(), places: z.number() }),
      timeoutMs: 300_000,
    });
    uploads.push(...found);
  }
  return uploads;
}

async function expectRollupsToAgree(clickhouse: ClickHouse): Promise<void> {
  const rollups = await clickhouse.read({
    name: 'test',
    sql: ROLLUP_TABLES,
    params: {},
    row: z.object({ table: z.string() }),
  });
  expect(rollups.length).toBeGreaterThan(10);
  for (const { table } of rollups) {
    const expected = await figure(clickhouse, 'count()', `requests WHERE ${rollupFilters[table] ?? 'true'}`);
    expect(expected).toBeGreaterThan(0);
    expect([table, await figure(clickhouse, 'sum(requests)', table)]).toEqual([table, expected]);
  }
}
