import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Logger } from '../log.js';
import type { ClickHouse, ClickHouseReader } from './client.js';
import { toClusterForm } from './cluster-form.js';
import { insertRows } from './insert-rows.js';
import { inMigrationTurn } from './migration-turn.js';

/** An applied migration file was edited; the message names it. */
export class MigrationError extends Error {}

export interface MigrateOptions {
  /** Folder of `NNNN_name.sql` files; default: the ones of this program. */
  readonly directory?: string;
  /** Name of the cluster that gets the tables; absent: one server. */
  readonly cluster?: string | undefined;
  /** Nobody else can reach the store: what a killed attempt left is not waited for. */
  readonly alone?: boolean;
  /** Puts on the disk what was written: before a table goes that a migration has copied. Absent: the server's disk is its operator's. */
  readonly sync?: () => Promise<void>;
  readonly logger: Logger;
}

interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

export const OWN_DIRECTORY = fileURLToPath(new URL('./migrations', import.meta.url));
/** Behind comments. */
const DROPS_TABLE = /^(?:--[^\n]*\n|\s)*DROP TABLE\b/;
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/**
 * Applies what is not applied yet, in the order of the numbers. ClickHouse has no transactions over DDL, so every
 * statement is one that may be repeated (IF NOT EXISTS): one that was cut off ends in the same schema when it is run again.
 * Two that run at once take turns.
 * @returns names of the migrations that were applied now.
 * @throws MigrationError before anything is changed, when an applied file was edited.
 */
export async function migrate(
  clickhouse: ClickHouse,
  { directory = OWN_DIRECTORY, cluster, alone = false, sync, logger }: MigrateOptions,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  if (cluster !== undefined) await refuseShards(clickhouse, cluster);
  const inForm = (statement: string) =>
    cluster === undefined ? statement : toClusterForm(statement, cluster);
  await clickhouse.command(inForm(RECORDS));
  if ((await readPending(clickhouse, migrations)).length === 0) return [];
  const attempt = await nameAttempt(clickhouse);
  const apply = async (holds: () => void): Promise<string[]> => {
    // Another may have applied some while this one waited.
    const pending = await readPending(clickhouse, migrations);
    for (const migration of pending) {
      for (const statement of migration.statements) {
        holds();
        if (DROPS_TABLE.test(statement)) await sync?.();
        await clickhouse.command(inForm(inAttempt(statement, attempt)));
      }
      await record(clickhouse, migration);
      logger.info({ migration: migration.name }, 'migration applied');
    }
    return pending.map(({ name }) => name);
  };
  return alone ? apply(() => {}) : inMigrationTurn(clickhouse, { attempt, inForm, logger }, apply);
}

/** Those that are not applied yet. @throws MigrationError where one was applied in another form. */
async function readPending(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await readApplied(clickhouse);
  for (const { name, checksum } of migrations) {
    const before = applied.get(name);
    if (before !== undefined && before !== checksum) {
      throw new MigrationError(
        `migration ${name} was applied in another form; put the file back and write the change as a new one`,
      );
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
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

/** Names of the migrations in the folder, in their order. */
export async function migrationNames(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
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

/** A text that the engine gives nobody else. */
async function nameAttempt(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.read({
    name: 'migrate.attempt',
    sql: "SELECT replaceAll(toString(generateUUIDv4()), '-', '') AS attempt",
    params: {},
    row: z.object({ attempt: z.string().regex(/^[0-9a-f]{32}$/) }),
  });
  return row!.attempt;
}

/** `{attempt}` in a statement is a text that no other attempt has: what it names is this attempt's own. */
export function inAttempt(statement: string, attempt: string): string {
  return statement.replaceAll('{attempt}', attempt);
}

/** A semicolon at the end of a line ends a statement. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\r?\n|$)/)
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '');
}

/** Replacing: two that apply the same migration at once leave one record. */
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
