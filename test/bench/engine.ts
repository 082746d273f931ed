import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import { createLogger } from '../../shared/log.js';

/** A bulk insert has blocks of a million rows, and each view holds its own groups of one. */
const BULK_MEMORY_BYTES = 4 * 1024 ** 3;

/** The engine by itself, on a data directory that no program has open. */

const logger = createLogger('error', 'bench');

export async function withEngine<T>(
  directory: string,
  work: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> {
  const engine = await startEmbeddedClickHouse({ directory, logger, maxMemoryBytes: BULK_MEMORY_BYTES });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 2 * 1024 ** 3 });
  try {
    await migrate(clickhouse, { logger: createLogger('silent', 'bench') });
    return await work(clickhouse);
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

/**
 * The engine's own bulk rate: the very rows that the program stored first, from a file, into the same tables with the
 * same views.
 * @returns rows a second.
 */
export async function measureBulkInsert(dataDir: string, folder: string, lines: number): Promise<number> {
  const file = join(folder, 'rows.tsv');
  await rm(file, { force: true });
  const { rows, structure } = await withEngine(join(dataDir, 'clickhouse'), async (clickhouse) => {
    // In the order of arrival: the table's own order would give the same hours of every repetition of the file.
    const [first] = await clickhouse.read({
      name: 'bench.first',
      sql: `SELECT max(log_offset) AS last, count() AS n FROM requests
            WHERE log_offset <= (SELECT log_offset FROM requests ORDER BY log_offset LIMIT 1 OFFSET {lines: UInt32})`,
      params: { lines: lines - 1 },
      row: z.object({ last: z.number(), n: z.number() }),
    });
    await clickhouse.command(
      `INSERT INTO FUNCTION file('${file}', 'TabSeparated') SELECT * FROM requests WHERE log_offset <= ${first?.last}`,
    );
    const columns = await clickhouse.read({
      name: 'bench.columns',
      sql: `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = 'requests' ORDER BY position`,
      params: {},
      row: z.object({ name: z.string(), type: z.string() }),
    });
    const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    return { rows: first?.n ?? 0, structure };
  });
  const fresh = join(folder, 'bulk');
  await rm(fresh, { recursive: true, force: true });
  const seconds = await withEngine(fresh, async (clickhouse) => {
    const started = performance.now();
    await clickhouse.command(
      `INSERT INTO requests SELECT * FROM file('${file}', 'TabSeparated', '${structure.replaceAll("'", "\\'")}')`,
    );
    const elapsed = (performance.now() - started) / 1000;
    const stored = await countRows(clickhouse);
    if (stored !== rows) throw new Error(`the bulk insert stored ${stored} of ${rows} rows`);
    return elapsed;
  });
  await rm(file, { force: true });
  await rm(fresh, { recursive: true, force: true });
  return rows / seconds;
}
