import { z } from 'zod';
import type { ClickHouseReader } from './client.js';

const CHANGE = /^\s*(CREATE|DROP) (?:TABLE|MATERIALIZED VIEW|VIEW) IF (?:NOT )?EXISTS (\w+)/;

/** Tables and views that exist after these statements, in order. */
export function tablesOf(statements: readonly string[]): Set<string> {
  const tables = new Set<string>();
  for (const statement of statements) {
    const [, change, name] = CHANGE.exec(statement.replace(/--[^\n]*/g, '')) ?? [];
    if (change === 'CREATE') tables.add(name!);
    else if (change === 'DROP') tables.delete(name!);
  }
  return tables;
}

/** Those that are missing in the database. @throws as ClickHouseReader.read */
export async function missingTables(
  reader: ClickHouseReader,
  tables: ReadonlySet<string>,
): Promise<readonly string[]> {
  const there = await reader.read({
    name: 'migrate.tables',
    sql: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
    params: {},
    row: z.object({ name: z.string() }),
  });
  const names = new Set(there.map(({ name }) => name));
  return [...tables].filter((name) => !names.has(name));
}
