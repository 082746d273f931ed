import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../../shared/clickhouse/client.js';
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../../shared/clickhouse/migrate.js';
import { createLogger } from '../../../shared/log.js';

/** The engine by itself, on a data directory that no program has open. */

/** A bulk insert has blocks of a million rows, and each view holds its own groups of one. */
const BULK_MEMORY_BYTES = 4 * 1024 ** 3;

const logger = createLogger('error', 'bench');

export async function withEngine<T>(
  directory: string,
  work: (clickhouse: ClickHouse, engine: Pick<EmbeddedClickHouse, 'pid'>) => Promise<T>,
): Promise<T> {
  const engine = await startEmbeddedClickHouse({ directory, logger, maxMemoryBytes: BULK_MEMORY_BYTES });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 2 * 1024 ** 3 });
  try {
    await migrate(clickhouse, { logger: createLogger('silent', 'bench') });
    return await work(clickhouse, engine);
  } finally {
    await clickhouse.close();
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
