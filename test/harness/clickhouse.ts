import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { type ClickHouse, connectClickHouse } from '../../shared/store/client.js';
import { migrate, migrationNames, OWN_DIRECTORY } from '../../shared/store/migrate.js';

export interface TestClickHouse {
  readonly clickhouse: ClickHouse;
  /** For a second client of the same database. */
  readonly url: string;
  /** Closes the client and deletes the data. */
  stop(): Promise<void>;
}

const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
const limits = { maxMemoryBytes: 700 * 1024 ** 2 };

/**
 * A separate ClickHouse with the schema: a new database on the server of CLICKHOUSE_URL, or the embedded
 * engine in a temporary directory.
 */
export async function startTestClickHouse(): Promise<TestClickHouse> {
  const server = process.env.CLICKHOUSE_URL;
  const { url, remove } = server ? await createDatabase(server) : await startEngine();
  const clickhouse = connectClickHouse(url, limits);
  const stop = async () => {
    await clickhouse.close();
    await remove();
  };
  try {
    await migrate(clickhouse, { logger });
  } catch (error) {
    await stop();
    throw error;
  }
  return { clickhouse, url, stop };
}

async function startEngine() {
  const directory = await mkdtemp(join(tmpdir(), 'loglane-clickhouse-'));
  await cp(await schemaTemplate(), directory, { recursive: true, verbatimSymlinks: true });
  const engine = await startEmbeddedClickHouse({ directory, logger });
  const remove = async () => {
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: engine.url, remove };
}

async function createDatabase(server: string) {
  const name = `loglane_test_${randomBytes(6).toString('hex')}`;
  const admin = connectClickHouse(server, limits);
  await admin.command(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const remove = async () => {
    await admin.command(`DROP DATABASE ${name} SYNC`);
    await admin.close();
  };
  return { url: url.href, remove };
}

const TEMPLATES = 'node_modules/.cache/loglane/clickhouse';

/** Data directory of an engine with the schema and no rows: copying it is faster than applying the schema. */
async function schemaTemplate(): Promise<string> {
  const template = join(TEMPLATES, await schemaDigest());
  if (existsSync(template)) return template;
  await mkdir(TEMPLATES, { recursive: true });
  const directory = await mkdtemp(join(TEMPLATES, 'new-'));
  const engine = await startEmbeddedClickHouse({ directory, logger });
  const clickhouse = connectClickHouse(engine.url, limits);
  await migrate(clickhouse, { logger });
  await clickhouse.close();
  await engine.stop();
  // Another worker may have created the same template before.
  await rename(directory, template).catch(() => rm(directory, { recursive: true }));
  const older = (await readdir(TEMPLATES)).filter(
    (name) => !name.startsWith('new-') && join(TEMPLATES, name) !== template,
  );
  for (const name of older) await rm(join(TEMPLATES, name), { recursive: true, force: true });
  return template;
}

/** Identifies the schema and the engine that applies it. */
async function schemaDigest(): Promise<string> {
  const digest = createHash('sha256').update(createRequire(import.meta.url)('chdb/package.json').version);
  for (const name of await migrationNames(OWN_DIRECTORY))
    digest.update(`${name}\0`).update(await readFile(join(OWN_DIRECTORY, name)));
  return digest.digest('hex').slice(0, 16);
}
