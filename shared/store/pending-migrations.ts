import { z } from 'zod';
import type { ClickHouseReader } from './client.js';
import { migrationNames, OWN_DIRECTORY, readApplied } from './migrate.js';

/**
 * Names of this program's migrations that the database lacks, in order. Unknown migrations are ignored: during a
 * rollout a newer version may already have migrated.
 * @throws StoreUnavailableError if ClickHouse does not answer.
 */
export async function pendingMigrations(
  clickhouse: ClickHouseReader,
  directory: string = OWN_DIRECTORY,
): Promise<string[]> {
  const names = await migrationNames(directory);
  // Only the migration command creates this table.
  const tables = await clickhouse.read({
    name: 'migrations.table',
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'",
    params: {},
    row: z.object({ name: z.string() }),
  });
  if (tables.length === 0) return names;
  const applied = await readApplied(clickhouse);
  return names.filter((name) => !applied.has(name));
}
