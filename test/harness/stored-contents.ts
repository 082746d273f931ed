import { z } from 'zod';
import { findRollups } from '../../deploy/admin/rows/rollup-tables.js';
import type { ClickHouseReader } from '../../shared/store/client.js';

/** `requests` and every rollup. */
export async function requestTables(reader: ClickHouseReader): Promise<string[]> {
  const rollups = await findRollups(reader);
  return ['requests', ...rollups.flatMap(({ target, fed }) => [target, ...fed.map((one) => one.target)])];
}

/** All rows of a website in these tables, without its id, in one order, by table. */
export async function contentsOf(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<Record<string, unknown>> {
  const ask = (sql: string) =>
    reader.read({ name: 'test', sql, row: z.record(z.string(), z.unknown()), params: {} });
  const found: Record<string, unknown> = {};
  for (const table of await requestTables(reader)) {
    const columns = await ask(
      `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '${table}' AND name != 'website_id' ORDER BY position`,
    );
    const read = columns.map(({ name, type }) =>
      String(type).startsWith('AggregateFunction') ? `finalizeAggregation(${name}) AS ${name}` : name,
    );
    const final = table === 'requests' ? '' : 'FINAL';
    found[table] = await ask(
      `SELECT ${read.join(', ')} FROM ${table} ${final} WHERE website_id = '${websiteId}' ORDER BY ALL`,
    );
  }
  return found;
}
