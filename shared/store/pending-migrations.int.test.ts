import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { connectClickHouse } from './client.js';
import { migrate } from './migrate.js';
import { pendingMigrations } from './pending-migrations.js';

const logger = pino({ level: 'silent' });

test('every migration is pending on an empty server, none after migrating, and a new one is pending again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loglane-pending-'));
  const engine = await startEmbeddedClickHouse({ directory: join(folder, 'clickhouse'), logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 512 * 1024 ** 2 });
  try {
    await writeFile(join(folder, '0001_a.sql'), 'CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = Memory');
    expect(await pendingMigrations(clickhouse, folder)).toEqual(['0001_a.sql']);
    await migrate(clickhouse, { directory: folder, logger });
    expect(await pendingMigrations(clickhouse, folder)).toEqual([]);
    await writeFile(join(folder, '0002_b.sql'), 'CREATE TABLE IF NOT EXISTS b (x UInt8) ENGINE = Memory');
    expect(await pendingMigrations(clickhouse, folder)).toEqual(['0002_b.sql']);
    await migrate(clickhouse, { logger });
    expect(await pendingMigrations(clickhouse)).toEqual([]);
  } finally {
    await clickhouse.close();
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
