import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ClickHouseReader } from './client.js';

const OWN_DIRECTORY = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Names of this program's migrations that the database does not have, in their order. More than this program knows is
 * no hindrance: during a rollout the newer version has migrated already.
 * @throws StoreUnavailableError where ClickHouse can't be asked.
 */
export async function pendingMigrations(
  clickhouse: ClickHouseReader,
  directory: string = OWN_DIRECTORY,
): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const applied = await readApplied(clickhouse);
  return names.filter((name) => !applied.has(name));
}

async function readApplied(clickhouse: ClickHouseReader): Promise<ReadonlySet<string>> {
  const tables = await clickhouse.read({
    name: 'migrations.table',
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'",
    params: {},
    row: z.object({ name: z.string() }),
  });
  if (tables.length === 0) return new Set();
  const rows = await clickhouse.read({
    name: 'migrations.applied',
    sql: 'SELECT DISTINCT name FROM schema_migrations',
    params: {},
    row: z.object({ name: z.string() }),
  });
  return new Set(rows.map(({ name }) => name));
}
