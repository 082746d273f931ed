import { join } from 'node:path';
import type { Config } from '../../../shared/config.js';
import type { Logger } from '../../../shared/logging/log.js';
import { connectServer } from '../../../shared/service/open-clickhouse.js';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { migrate } from '../../../shared/store/migrate.js';
import { startEmbeddedClickHouse } from '../../embedded/engine/start-engine.js';
import { openControlLog } from '../instance/open-control-log.js';
import type { ResumableLog } from './resume-from-store.js';

export interface Resumable {
  readonly log: ResumableLog;
  readonly store: ClickHouse;
  close(): Promise<void>;
}

export type OpenResumable = () => Promise<Resumable>;

/** Opens the log and the store of this configuration. @throws Error if a running instance uses one of them. */
export async function openResumable(config: Config, logger: Logger): Promise<Resumable> {
  const log = await openControlLog(config, logger);
  const opened = await openStore(config, logger).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  return {
    log,
    store: opened.store,
    async close() {
      await log.close();
      await opened.close();
    },
  };
}

async function openStore(config: Config, logger: Logger) {
  if (config.CLICKHOUSE_URL !== undefined) {
    const store = connectServer(config.CLICKHOUSE_URL, config);
    return { store, close: () => store.close() };
  }
  const directory = join(config.DATA_DIR, 'clickhouse');
  const engine = await startEmbeddedClickHouse({ directory, logger });
  const store = connectClickHouse(engine.url, { maxMemoryBytes: config.CLICKHOUSE_MAX_MEMORY_BYTES });
  const close = async () => {
    await store.close();
    await engine.stop();
  };
  try {
    // After a loss, the store is empty and needs its tables.
    await migrate(store, { logger });
  } catch (error) {
    await close();
    throw error;
  }
  return { store, close };
}
