import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Logger } from '../logging/log.js';
import type { ClickHouse, ClickHouseReader } from './client.js';
import { toClusterForm } from './cluster-form.js';
import { insertRows } from './insert-rows.js';
import { missingTables, tablesOf } from './missing-tables.js';

/** An applied migration file was edited; the message has its name. */
export class MigrationError extends Error {}

export interface MigrateOptions {
  /** Folder of migrations: files `NNNN_name.sql`, or folders `NNNN_name` of SQL files. Default: this program's. */
  readonly directory?: string;
  /** Name of the cluster for the tables; absent: one server. */
  readonly cluster?: string | undefined;
  readonly logger: Logger;
}

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

export const OWN_DIRECTORY = fileURLToPath(new URL('./migrations', import.meta.url));
const FILE_NAME = /^\d{4}_[a-z0-9_]+(?:\/[a-z0-9_]+)*\.sql$/;

/**
 * Applies pending migration files in the order of their names. ClickHouse has no transactional DDL, so every statement
 * can be repeated (IF NOT EXISTS). An interrupted migration therefore reaches the same schema when it runs again, and
 * two processes may migrate concurrently.
 * @returns names of the files applied now
 * @throws MigrationError before any change, if an applied file was edited or one of its tables is missing
 */
export async function migrate(
  clickhouse: ClickHouse,
  { directory = OWN_DIRECTORY, cluster, logger }: MigrateOptions,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  if (cluster !== undefined) await refuseShards(clickhouse, cluster);
  const inForm = (statement: string) =>
    cluster === undefined ? statement : toClusterForm(statement, cluster);
  await clickhouse.command(inForm(RECORDS));
  const pending = await readPending(clickhouse, migrations);
  for (const migration of pending) {
    for (const statement of migration.statements) await clickhouse.command(inForm(statement));
    await record(clickhouse, migration);
    logger.info({ migration: migration.name }, 'migration applied');
  }
  return pending.map(({ name }) => name);
}

/** Files that are not applied yet. @throws MigrationError if an applied file was edited. */
async function readPending(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await readApplied(clickhouse);
  for (const { name, checksum } of migrations) {
    const before = applied.get(name);
    if (before !== undefined && before !== checksum) {
      throw new MigrationError(
        `${name} was edited after this database was created; start with an empty database (DATA_DIR), or restore the file and write the change as a new migration`,
      );
    }
  }
  await refuseLostTables(
    clickhouse,
    migrations.filter(({ name }) => applied.has(name)),
  );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Refuses a store with missing tables: applying their migration again would create them empty. */
async function refuseLostTables(clickhouse: ClickHouse, applied: readonly Migration[]): Promise<void> {
  const tables = tablesOf(applied.flatMap(({ statements }) => statements));
  const missing = tables.size === 0 ? [] : await missingTables(clickhouse, tables);
  if (missing.length > 0)
    throw new MigrationError(
      `the store has lost tables: ${missing.join(', ')}. Restore it from a back-up, or begin with an empty one (docs/troubleshooting.md, "Damaged files")`,
    );
}

/** Each replica has all rows of its tables. With several shards a read would silently return one shard's part. */
async function refuseShards(clickhouse: ClickHouse, cluster: string): Promise<void> {
  const [found] = await clickhouse.read({
    name: 'migrate.shards',
    sql: 'SELECT uniqExact(shard_num) AS shards FROM system.clusters WHERE cluster = {cluster: String}',
    params: { cluster },
    row: z.object({ shards: z.number() }),
  });
  if (found?.shards === 1) return;
  throw new MigrationError(
    found?.shards === 0
      ? `the server knows no cluster ${cluster} (CLICKHOUSE_CLUSTER)`
      : `cluster ${cluster} has ${found?.shards} shards; Loglane wants one shard of any number of replicas`,
  );
}

/** Paths of the migration files in the folder, in the order of application. */
export async function migrationNames(directory: string): Promise<string[]> {
  const paths = await readdir(directory, { recursive: true });
  return paths.filter((path) => FILE_NAME.test(path)).sort();
}

async function readMigrations(directory: string): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(directory)).map(async (name) => {
      const text = await readFile(`${directory}/${name}`, 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name, checksum, statements: splitStatements(text) };
    }),
  );
}

/** A semicolon at the end of a line ends a statement. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\r?\n|$)/)
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '');
}

/** Replacing: two processes that apply the same migration leave one record. */
const RECORDS = `
CREATE TABLE IF NOT EXISTS schema_migrations
(
    name       String,
    checksum   String,
    applied_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY name`;

/** Checksums of the applied migrations by name; their table must exist. */
export async function readApplied(clickhouse: ClickHouseReader): Promise<Map<string, string>> {
  const rows = await clickhouse.read({
    name: 'migrate.applied',
    sql: 'SELECT name, checksum FROM schema_migrations FINAL ORDER BY name',
    params: {},
    row: z.object({ name: z.string(), checksum: z.string() }),
  });
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function record(clickhouse: ClickHouse, { name, checksum }: Migration): Promise<void> {
  await insertRows(clickhouse, {
    table: 'schema_migrations',
    rows: [{ name, checksum }],
    deduplicationToken: `schema_migrations/${name}/${checksum}`,
  });
}
