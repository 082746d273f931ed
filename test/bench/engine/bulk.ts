import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requestColumns } from '../../../services/enricher/sink/range/encode-rows.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { splitStatements } from '../../../shared/store/migrate.js';
import type { BenchFolder } from '../bench-folder.js';
import { type EngineCpu, engineCostsOf, engineCpuOf } from '../pipeline/process-cpu.js';
import type { Upload } from '../uploads.js';
import { makeTrueRows, type TrueRows } from './true-rows.js';
import { untilQuiet } from './until-quiet.js';
import { type BenchEngine, countRows, startEngine, withEngine } from './with-engine.js';

/** Measures the engine alone with the same rows, tables and views. */
export interface BulkResult {
  readonly name: string;
  readonly rows: number;
  /** During the statements. */
  readonly rowsPerSecond: number;
  /** CPU of the engine's process, µs a row, until its merges have ended. */
  readonly cpu: EngineCpu;
  /** On disk, by table, for each row of `requests`; the largest first. */
  readonly bytes: Readonly<Record<string, number>>;
}

const columns = requestColumns.join(', ');

/**
 * Inserts with one statement from a file of the true encoder's bodies, with one from a file of TSV, and with
 * the enricher's inserts.
 * @param sql file of statements that create another form of the tables for comparison
 */
export async function measureBulk(
  folder: BenchFolder,
  uploads: readonly Upload[],
  source: string,
  sql?: string,
): Promise<BulkResult[]> {
  const files = await folder.fresh('rows');
  const made = await makeTrueRows(files, uploads, source);
  const tsv = join(files, 'rows.tsv');
  const { rows } = made;

  const native = await withEngine(await folder.fresh('engine-native'), async (engine) => {
    const result = await measure(engine, {
      name: 'Native file, one INSERT',
      rows,
      insert: ({ clickhouse }) =>
        clickhouse.command(
          `INSERT INTO requests (${columns}) SELECT ${columns} FROM file('${made.file}', 'Native')`,
        ),
    });
    // In the order of arrival: sorted rows would be less work.
    await engine.clickhouse.command(
      `INSERT INTO FUNCTION file('${tsv}', 'TabSeparated') SELECT ${columns} FROM requests ORDER BY log_offset, log_index`,
    );
    return { result, structure: await structureOf(engine.clickhouse) };
  });
  const text = await withEngine(await folder.fresh('engine-tsv'), (engine) =>
    measure(engine, {
      name: 'TSV file, one INSERT',
      rows,
      insert: ({ clickhouse }) =>
        clickhouse.command(
          `INSERT INTO requests (${columns}) SELECT * FROM file('${tsv}', 'TabSeparated', '${native.structure}')`,
        ),
    }),
  );
  return [native.result, text, ...(await measureInserts(folder, made, sql))];
}

interface BulkWork {
  readonly name: string;
  readonly rows: number;
  insert(engine: BenchEngine): Promise<void>;
}

async function measure(engine: BenchEngine, { name, rows, insert }: BulkWork): Promise<BulkResult> {
  const before = engineCpuOf(engine.pid);
  const started = performance.now();
  await insert(engine);
  return resultOf(engine, { name, rows, before, ms: performance.now() - started });
}

/**
 * The enricher's inserts. With another form of the tables they alternate between two engines, so that
 * disturbances affect both.
 */
async function measureInserts(
  folder: BenchFolder,
  { bodies, rows }: TrueRows,
  sql: string | undefined,
): Promise<BulkResult[]> {
  const forms = [await startForm(await folder.fresh('engine-inserts'), 'as it is')];
  try {
    if (sql !== undefined) forms.push(await startForm(await folder.fresh('engine-other'), sql));
    for (const [index, body] of bodies.entries())
      for (const form of index % 2 === 0 ? forms : forms.toReversed()) {
        const started = performance.now();
        await insertBody(form.engine.clickhouse, body, index);
        form.ms += performance.now() - started;
      }
    const results: BulkResult[] = [];
    for (const { engine, form, before, ms } of forms)
      results.push(
        await resultOf(engine, { name: `${bodies.length} inserts, tables ${form}`, rows, before, ms }),
      );
    return results;
  } finally {
    await Promise.all(forms.map(({ engine }) => engine.stop()));
  }
}

async function startForm(directory: string, form: string) {
  const engine = await startEngine(directory);
  const statements = form === 'as it is' ? [] : splitStatements(await readFile(form, 'utf8'));
  for (const statement of statements) await engine.clickhouse.command(statement);
  return { engine, form, before: engineCpuOf(engine.pid), ms: 0 };
}

interface Measured {
  readonly name: string;
  readonly rows: number;
  readonly before: EngineCpu;
  readonly ms: number;
}

async function resultOf(
  { clickhouse, pid }: BenchEngine,
  { name, rows, before, ms }: Measured,
): Promise<BulkResult> {
  await untilQuiet(pid);
  const cpu = engineCostsOf(engineCpuOf(pid), before, rows);
  const stored = await countRows(clickhouse);
  if (stored !== rows) throw new Error(`${name}: ${stored} of ${rows} rows are stored`);
  return { name, rows, rowsPerSecond: (1_000 * rows) / ms, cpu, bytes: await bytesByTable(clickhouse, rows) };
}

function insertBody(clickhouse: ClickHouse, rows: Buffer, index: number): Promise<void> {
  return clickhouse.insert({
    ...{ table: 'requests', columns: requestColumns, rows, format: 'Native' },
    deduplicationToken: `bench/${index}`,
  });
}

async function bytesByTable(clickhouse: ClickHouse, rows: number): Promise<Record<string, number>> {
  const tables = await clickhouse.read({
    name: 'bench.bytes',
    sql: `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
    params: {},
    row: z.object({ table: z.string(), bytes: z.number() }),
  });
  return Object.fromEntries(tables.map(({ table, bytes }) => [table, bytes / rows]));
}

/** The file's columns, escaped for `file()` within a text. */
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
