import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Logger } from '../logging/log.js';
import type { ClickHouse, ClickHouseReader } from './client.js';
import { toClusterForm } from './cluster-form.js';
import { insertRows } from './insert-rows.js';
import { missingTables, tablesOf } from './missing-tables.js';

/** An applied migration file was edited; the message names it. */
export class MigrationError extends Error {}

export interface MigrateOptions {
  /** Folder of migrations: files `NNNN_name.sql`, or folders `NNNN_name` of SQL files. Default: this program's. */
  readonly directory?: string;
  /** Name of the cluster on which the tables are created; absent: one server. */
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
 * Applies the files that are not applied yet, in the order of their names. ClickHouse has no transactions over DDL, so
 * every statement can be repeated (IF NOT EXISTS): a migration that was interrupted ends in the same schema when it runs
 * again. For the same reason two processes may migrate at once.
 * @returns names of the files that were applied now.
 * @throws MigrationError before anything is changed, when an applied file was edited or a table of one is gone.
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

/** Files that are not applied yet. @throws MigrationError where an applied file was edited. */
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

/** A table whose files are gone: it would come back empty where its migration were applied again. */
async function refuseLostTables(clickhouse: ClickHouse, applied: readonly Migration[]): Promise<void> {
  const tables = tablesOf(applied.flatMap(({ statements }) => statements));
  const missing = tables.size === 0 ? [] : await missingTables(clickhouse, tables);
  if (missing.length > 0)
    throw new MigrationError(
      `the store has lost tables: ${missing.join(', ')}. Restore it from a back-up, or begin with an empty one (docs/troubleshooting.md, "Damaged files")`,
    );
}

/** Tables hold everything on each replica: over several shards, a read would see one shard's part and say nothing of it. */
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

/** Paths of the migration files below the folder, in the order in which they are applied. */
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

/** Replacing: two processes that apply the same migration at once leave one record. */
const RECORDS = `
CREATE TABLE IF NOT EXISTS schema_migrations
(
    name       String,
    checksum   String,
    applied_at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY name`;

/** Checksums of the applied migrations by name; their table must be there. */
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
