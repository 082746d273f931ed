import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Command } from 'commander';
import { z } from 'zod';
import { packUploads, type UploadFormat, uploadFormats } from '../../deploy/demo/uploads.js';
import { encodeRecords } from '../../services/enricher/sink/encode-records.js';
import { requestColumns } from '../../services/enricher/sink/encode-rows.js';
import { takeBody } from '../../services/ingest/records/take-body.fixture.js';
import { type ClickHouse, connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate, splitStatements } from '../../shared/clickhouse/migrate.js';
import { DAY_MS } from '../../shared/durations.js';
import type { LogRecord } from '../../shared/event-log/event-log.js';
import { createLogger } from '../../shared/log.js';
import { encodeRawBlock } from '../../shared/requests/raw-block-codec.js';
import { MOST_BLOCK_REQUESTS } from '../../shared/requests/raw-request.js';
import { benchRequests } from './lines.js';
import { type EngineCpu, engineCostsOf, engineCpuOf } from './pipeline/process-cpu.js';
import { openOfflineEnrichment, type VerdictOf } from './stages/offline.js';
import { quantile } from './statistics.js';

/**
 * What a stored request costs the embedded engine: CPU of its process for inserts and their merges, time of an insert, and bytes on disk
 * by table. The demo's week is encoded as the enricher does it and inserted, one range after another. `--drop` takes views away, `--sql` is applied behind the
 * migrations. `--beside` compares that form of the tables with the one that is: each has an engine of its own, and inserts go to one and the other by turns.
 * So what disturbs the machine disturbs both; two equal forms differ by 1 to 3 percent, where two runs one after the other differ by 20.
 */

/** No merge has begun for so long: what is left is merged by age, hours later. */
const SETTLED_MS = 3_000;

const options = new Command('insert-cost')
  .option('--inserts <n>', 'inserts', Number, 20)
  .option('--rows <n>', 'rows of each', Number, 30_000)
  .option('--format <name>', `lines that the rows are parsed from: ${uploadFormats.join(', ')}`, 'combined')
  .option('--websites <n>', 'websites that uploads take turns through', Number, 1)
  .option('--upload-lines <n>', 'lines of an upload; they divide the rows', Number, 10_000)
  .option('--days <n>', 'days that the rows are of', Number, 7)
  .option('--hostile', 'each path is another one')
  .option('--drop <list>', 'views to drop first, comma-separated')
  .option('--sql <file>', 'statements to apply behind the migrations')
  .option('--beside', 'inserts into the tables as they are, too, by turns')
  .option('--bodies <folder>', 'keeps what was encoded, for the next run')
  .option('--merged', 'bytes after all parts were merged, too')
  .option('--columns', 'bytes of each column, too')
  .parse()
  .opts<{
    inserts: number;
    rows: number;
    format: UploadFormat;
    websites: number;
    uploadLines: number;
    days: number;
    hostile?: boolean;
    drop?: string;
    sql?: string;
    beside?: boolean;
    bodies?: string;
    merged?: boolean;
    columns?: boolean;
  }>();

const folder = await mkdtemp(join(tmpdir(), 'loglane-insert-cost-'));
try {
  await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Form {
  readonly name: string;
  readonly clickhouse: ClickHouse;
  readonly cpu: () => EngineCpu;
  /** Milliseconds of each insert. */
  readonly took: number[];
  readonly stop: () => Promise<void>;
}

async function run(): Promise<void> {
  const bodies = await keptBodies(options.bodies ?? join(folder, 'bodies'));
  const forms = [await startForm('asked', options)];
  try {
    if (options.beside) forms.push(await startForm('as it is', {}));
    const before = forms.map(({ cpu }) => cpu());
    for (const [index, file] of bodies.entries()) {
      const rows = await readFile(file);
      for (const { clickhouse, took } of index % 2 === 0 ? forms : forms.toReversed())
        took.push(await insert(clickhouse, rows, index));
    }
    const inserted = forms.map(({ cpu }) => cpu());
    for (const { clickhouse } of forms) await settled(clickhouse);
    const requests = options.inserts * options.rows;
    const costs = forms.map(({ cpu }, form) => ({
      all: engineCostsOf(cpu(), before[form]!, requests),
      untilLast: engineCostsOf(inserted[form]!, before[form]!, requests),
    }));
    for (const [index, { name, took, clickhouse }] of forms.entries()) {
      if (options.beside) console.log(`tables: ${name}`);
      console.log(
        `an insert, ms: p50 ${quantile(took, 0.5).toFixed(0)}, p99 ${quantile(took, 0.99).toFixed(0)}`,
      );
      printCosts(costs[index]!.all, costs[index]!.untilLast);
      await printTables(clickhouse);
      if (options.merged) await printMerged(clickhouse);
    }
  } finally {
    await Promise.all(forms.map(({ stop }) => stop()));
  }
}

async function startForm(name: string, { drop, sql }: Pick<typeof options, 'drop' | 'sql'>): Promise<Form> {
  const engine = await startEmbeddedClickHouse({
    directory: join(folder, name),
    logger: createLogger('error', 'bench'),
  });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 700 * 1024 ** 2 });
  const stop = async () => {
    await clickhouse.close();
    await engine.stop();
  };
  try {
    await migrate(clickhouse, { logger: createLogger('silent', 'bench') });
    for (const view of drop?.split(',') ?? []) await clickhouse.command(`DROP VIEW ${view}`);
    for (const statement of sql === undefined ? [] : splitStatements(await readFile(sql, 'utf8')))
      await clickhouse.command(statement);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name, clickhouse, cpu: () => engineCpuOf(engine.pid()!), took: [], stop };
}

/** @returns milliseconds until it was answered */
async function insert(clickhouse: ClickHouse, rows: Buffer, index: number): Promise<number> {
  const started = performance.now();
  await clickhouse.insert({
    table: 'requests',
    columns: requestColumns,
    rows,
    format: 'Native',
    deduplicationToken: `bench ${index}`,
  });
  return performance.now() - started;
}

async function keptBodies(kept: string): Promise<string[]> {
  await mkdir(kept, { recursive: true });
  const { inserts, rows, format, hostile, websites, uploadLines, days } = options;
  const form = [format, hostile ? 'hostile' : 'plain', websites, uploadLines, days, inserts, rows].join('-');
  const paths = Array.from({ length: inserts }, (_, index) => join(kept, `${form}-${index}.native`));
  const isThere = await stat(paths.at(-1)!).then(
    () => true,
    () => false,
  );
  if (!isThere) await encodeBodies(paths);
  return paths;
}

/** As the enricher stores them: blocks of uploads, several in a range. */
async function encodeBodies(paths: readonly string[]): Promise<void> {
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const perRange = options.rows / options.uploadLines;
  if (!Number.isInteger(perRange)) throw new Error('--rows is to be a multiple of --upload-lines');
  const count = options.rows * options.inserts;
  const enrichment = openOfflineEnrichment(lateVerdicts());
  const requests = benchRequests({
    count,
    seed: 'bench',
    days: options.days,
    end: now,
    domain: 'shop.example',
  });
  const numbered = function* () {
    let number = 0;
    for (const request of requests) {
      number += 1;
      yield options.hostile
        ? { ...request, target: `/${number * 7_919}-${(number * 2_654_435_761) % 2 ** 32}${request.target}` }
        : request;
    }
  };
  let [uploads, offset] = [0, 0];
  let range: LogRecord[] = [];
  for await (const { body } of packUploads(numbered(), options.format, options.uploadLines)) {
    const taken = takeBody(gunzipSync(body), { now });
    if (taken.refusal !== null) throw taken.refusal;
    const websiteId = `w${uploads % options.websites}`;
    for (let at = 0; at < taken.requests.length; at += MOST_BLOCK_REQUESTS) {
      const block = {
        website_id: websiteId,
        source: taken.tally.source!,
        upload_id: `upload-${uploads}`,
        received_at: now + uploads * 1_000,
        requests: taken.requests.slice(at, at + MOST_BLOCK_REQUESTS),
      };
      range.push({
        partition: 0,
        offset: offset++,
        key: websiteId,
        appendedAt: now,
        value: encodeRawBlock(block),
      });
    }
    uploads += 1;
    if (uploads % perRange !== 0) continue;
    const { body: rows, dead } = await encodeRecords(range, enrichment);
    if (dead.length > 0) throw new Error(dead[0]!.reason);
    await writeFile(paths[uploads / perRange - 1]!, rows);
    range = [];
  }
}

/** The first requests of each address come before its verdict. */
function lateVerdicts(): VerdictOf {
  const asked = new Map<string, number>();
  return (family, clientIp) => {
    const claim = `${family} ${clientIp}`;
    const times = (asked.get(claim) ?? 0) + 1;
    asked.set(claim, times);
    return times > 5 ? 'verified' : 'pending';
  };
}

async function settled(clickhouse: ClickHouse): Promise<void> {
  for (let quiet = 0; quiet < SETTLED_MS; quiet += 250) {
    await sleep(250);
    const [row] = await clickhouse.read({
      name: 'bench.merges',
      sql: 'SELECT count() AS n FROM system.merges',
      params: {},
      row: z.object({ n: z.number() }),
    });
    if (row!.n > 0) quiet = 0;
  }
}

function printCosts(all: EngineCpu, untilLast: EngineCpu): void {
  const sum = (cpu: EngineCpu) => cpu.statements + cpu.merges + cpu.upkeep + cpu.HTTP;
  console.log(
    `µs CPU a request: ${sum(all).toFixed(2)} (statements ${all.statements.toFixed(2)}, merges ${all.merges.toFixed(2)}; until the last insert ${sum(untilLast).toFixed(2)})`,
  );
}

async function printTables(clickhouse: ClickHouse): Promise<void> {
  const requests = options.inserts * options.rows;
  const tables = await clickhouse.read({
    name: 'bench.tables',
    sql: `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes, count() AS parts, sum(rows) AS rows, sum(files) AS files
FROM system.parts WHERE active AND database = currentDatabase() AND table NOT LIKE 'schema%'
GROUP BY table ORDER BY bytes DESC`,
    params: {},
    row: z.object({
      table: z.string(),
      bytes: z.number(),
      parts: z.number(),
      rows: z.number(),
      files: z.number(),
    }),
  });
  const bytes = (some: number) => (some / requests).toFixed(2).padStart(6);
  console.log(`bytes a request: ${bytes(tables.reduce((sum, table) => sum + table.bytes, 0))}`);
  for (const table of tables)
    console.log(
      `  ${bytes(table.bytes)} ${table.table} (${table.rows} rows, ${table.parts} parts, ${table.files} files)`,
    );
  if (options.columns) await printColumns(clickhouse, bytes);
}

async function printMerged(clickhouse: ClickHouse): Promise<void> {
  const tables = await clickhouse.read({
    name: 'bench.names',
    sql: `SELECT DISTINCT table FROM system.parts WHERE active AND database = currentDatabase() AND table NOT LIKE 'schema%'`,
    params: {},
    row: z.object({ table: z.string() }),
  });
  for (const { table } of tables) await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  console.log('merged');
  await printTables(clickhouse);
}

async function printColumns(clickhouse: ClickHouse, bytes: (some: number) => string): Promise<void> {
  const requests = options.inserts * options.rows;
  const columns = await clickhouse.read({
    name: 'bench.columns',
    sql: `SELECT table, column, toFloat64(sum(column_bytes_on_disk)) AS bytes
FROM system.parts_columns WHERE active AND database = currentDatabase()
GROUP BY table, column HAVING bytes > ${requests / 50} ORDER BY table = 'requests' DESC, bytes DESC`,
    params: {},
    row: z.object({ table: z.string(), column: z.string(), bytes: z.number() }),
  });
  for (const { table, column, bytes: some } of columns) console.log(`  ${bytes(some)} ${table}.${column}`);
}
