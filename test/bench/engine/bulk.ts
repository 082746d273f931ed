import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { requestColumns } from '../../../services/enricher/sink/encode-rows.js';
import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import type { BenchFolder } from '../bench-folder.js';
import { type EngineCpu, engineCostsOf, engineCpuOf } from '../pipeline/process-cpu.js';
import type { Upload } from '../uploads.js';
import { makeTrueRows } from './true-rows.js';
import { countRows, withEngine } from './with-engine.js';

/** What the engine by itself does with the same rows, into the same tables with the same views. */
export interface BulkResult {
  readonly name: string;
  readonly rows: number;
  /** While the statements ran. */
  readonly rowsPerSecond: number;
  /** Of the engine's process, µs a row, until its merges have ended. */
  readonly cpu: EngineCpu;
}

/** The engine looks for parts to merge again after a pause. */
const QUIET_MS = 3_000;
const LOOK_EVERY_MS = 200;
const MOST_MERGING_MS = 60_000;

const columns = requestColumns.join(', ');

/** One statement from a file of the true encoder's bodies, one from a file of TSV, and the inserts that the enricher makes. */
export async function measureBulk(
  folder: BenchFolder,
  uploads: readonly Upload[],
  source: string,
): Promise<BulkResult[]> {
  const files = await folder.fresh('rows');
  const { rows, bodies, file } = await makeTrueRows(files, uploads, source);
  const tsv = join(files, 'rows.tsv');

  const native = await withEngine(await folder.fresh('engine-native'), async (clickhouse, engine) => {
    const result = await measure(clickhouse, engine.pid()!, {
      name: 'Native file, one INSERT',
      rows,
      insert: () =>
        clickhouse.command(
          `INSERT INTO requests (${columns}) SELECT ${columns} FROM file('${file}', 'Native')`,
        ),
    });
    // In the order of arrival: sorted as the table is they would be less work.
    await clickhouse.command(
      `INSERT INTO FUNCTION file('${tsv}', 'TabSeparated') SELECT ${columns} FROM requests ORDER BY log_offset, log_index`,
    );
    return { result, structure: await structureOf(clickhouse) };
  });
  const text = await withEngine(await folder.fresh('engine-tsv'), (clickhouse, engine) =>
    measure(clickhouse, engine.pid()!, {
      name: 'TSV file, one INSERT',
      rows,
      insert: () =>
        clickhouse.command(
          `INSERT INTO requests (${columns}) SELECT * FROM file('${tsv}', 'TabSeparated', '${native.structure}')`,
        ),
    }),
  );
  const inserts = await withEngine(await folder.fresh('engine-inserts'), (clickhouse, engine) =>
    measure(clickhouse, engine.pid()!, {
      name: `Native, ${bodies.length} inserts as the enricher's`,
      rows,
      insert: () => insertEach(clickhouse, bodies),
    }),
  );
  return [native.result, text, inserts];
}

interface BulkWork {
  readonly name: string;
  readonly rows: number;
  insert(): Promise<void>;
}

async function measure(clickhouse: ClickHouse, pid: number, work: BulkWork): Promise<BulkResult> {
  const before = engineCpuOf(pid);
  const started = performance.now();
  await work.insert();
  const seconds = (performance.now() - started) / 1000;
  await untilMerged(clickhouse);
  const after = engineCpuOf(pid);
  const stored = await countRows(clickhouse);
  if (stored !== work.rows) throw new Error(`${work.name}: ${stored} of ${work.rows} rows are stored`);
  return {
    name: work.name,
    rows: work.rows,
    rowsPerSecond: work.rows / seconds,
    cpu: engineCostsOf(after, before, work.rows),
  };
}

async function insertEach(clickhouse: ClickHouse, bodies: readonly Buffer[]): Promise<void> {
  for (const [index, rows] of bodies.entries()) {
    const deduplicationToken = `bench/${index}`;
    await clickhouse.insert({
      table: 'requests',
      columns: requestColumns,
      rows,
      format: 'Native',
      deduplicationToken,
    });
  }
}

async function untilMerged(clickhouse: ClickHouse): Promise<void> {
  const deadline = Date.now() + MOST_MERGING_MS;
  let quietSince = Date.now();
  while (Date.now() < deadline && Date.now() - quietSince < QUIET_MS) {
    await sleep(LOOK_EVERY_MS);
    if ((await countRows(clickhouse, 'system.merges')) > 0) quietSince = Date.now();
  }
}

/** Of the file's columns, as `file()` takes it within a text. */
async function structureOf(clickhouse: ClickHouse): Promise<string> {
  const described = await clickhouse.read({
    name: 'bench.columns',
    sql: `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = 'requests'`,
    params: {},
    row: z.object({ name: z.string(), type: z.string() }),
  });
  const types = new Map(described.map(({ name, type }) => [name, type]));
  return requestColumns
    .map((name) => `${name} ${types.get(name)}`)
    .join(', ')
    .replaceAll("'", "\\'");
}
