import { z } from 'zod';
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../../deploy/embedded/engine/start-engine.js';
import { createLogger } from '../../../shared/logging/log.js';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { migrate } from '../../../shared/store/migrate.js';

/** The engine alone, on a data directory that no program has open. */

export interface BenchEngine extends Pick<EmbeddedClickHouse, 'url'> {
  readonly clickhouse: ClickHouse;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A bulk insert has blocks of a million rows, and each view stores the groups of one block in memory. */
const BULK_MEMORY_BYTES = 4 * 1024 ** 3;

/** With the tables of the schema. */
export async function startEngine(
  directory: string,
  maxMemoryBytes = BULK_MEMORY_BYTES,
): Promise<BenchEngine> {
  const logger = createLogger('error', 'bench');
  const engine = await startEmbeddedClickHouse({ directory, logger, maxMemoryBytes });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: maxMemoryBytes / 2 });
  const stop = async () => {
    await clickhouse.close();
    await engine.stop();
  };
  try {
    await migrate(clickhouse, { logger: createLogger('silent', 'bench') });
  } catch (error) {
    await stop();
    throw error;
  }
  return { clickhouse, url: engine.url, pid: engine.pid()!, stop };
}

export async function withEngine<T>(
  directory: string,
  work: (engine: BenchEngine) => Promise<T>,
): Promise<T> {
  const engine = await startEngine(directory);
  try {
    return await work(engine);
  } finally {
    await engine.stop();
  }
}

export async function countRows(clickhouse: ClickHouse, table = 'requests'): Promise<number> {
  const [row] = await clickhouse.read({
    name: 'bench.count',
    sql: `SELECT count() AS n FROM ${table}`,
    params: {},
    row: z.object({ n: z.number() }),
  });
  return row?.n ?? 0;
}
