import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../../shared/clickhouse/embedded/start-engine.js';
import { createLogger } from '../../../shared/log.js';
import { withEngine } from '../engine/with-engine.js';
import { memoryOfTree } from '../process-memory.js';
import type { FileFigures, FileWanted } from './make-file.js';

/**
 * `npm run bench:exports -- --clickhouse <folder> --rows 10000000`: what a large export costs the engine and the jobs service, in each
 * format and compression. The folder is the `clickhouse` of a stopped program's DATA_DIR that has requests of bots, as after `npm run demo`; copies of them are added to it.
 */

const MEBIBYTE = 1024 ** 2;
const SAMPLE_MS = 50;
/** As CLICKHOUSE_MAX_MEMORY_BYTES is where nobody sets it. */
const MEMORY_BYTES = 700 * MEBIBYTE;
const COPIED_ROWS = 1_000_000;
/** Past every place of the log that the rows copied from have. */
const FIRST_COPY = 10_000_000_000;

const kinds = [
  ['csv', 'none'],
  ['csv', 'gzip'],
  ['csv', 'zstd'],
  ['ndjson', 'none'],
  ['ndjson', 'gzip'],
  ['ndjson', 'zstd'],
  ['parquet', 'none'],
] as const;

const options = new Command('bench:exports')
  .requiredOption('--clickhouse <folder>', 'data directory of the engine')
  .option('--rows <n>', 'requests of bots of one website', Number, 10_000_000)
  .parse()
  .opts<{ clickhouse: string; rows: number }>();

const largest = z.object({ website_id: z.string(), n: z.number() });

async function largestWebsite(clickhouse: ClickHouse, where: string) {
  const [found] = await clickhouse.read({
    name: 'bench.largest',
    sql: `SELECT website_id, count() AS n FROM requests WHERE ${where} GROUP BY website_id ORDER BY n DESC LIMIT 1`,
    params: {},
    row: largest,
  });
  if (found === undefined) throw new Error('there are no requests of bots to copy: npm run demo sends some');
  return found;
}

/** Adds copies of the rows, each at a place of the log of its own, by the views and all. */
async function fill(clickhouse: ClickHouse): Promise<string> {
  const source = await largestWebsite(clickhouse, `bot_name != '' AND log_offset < ${FIRST_COPY}`);
  const website = `website_id = '${source.website_id}' AND bot_name != ''`;
  let have = (await largestWebsite(clickhouse, website)).n;
  const copies = Math.max(1, Math.floor(COPIED_ROWS / source.n));
  for (let first = have; have < options.rows; first = have) {
    await clickhouse.command(`INSERT INTO requests SELECT * EXCEPT copy REPLACE (
        log_offset + ${FIRST_COPY} + ${first} + copy * ${FIRST_COPY} AS log_offset)
      FROM (SELECT * FROM requests WHERE ${website} AND log_offset < ${FIRST_COPY})
      ARRAY JOIN range(${copies}) AS copy`);
    have = (await largestWebsite(clickhouse, website)).n;
    console.log(`${have} rows`);
  }
  await clickhouse.command('OPTIMIZE TABLE requests FINAL');
  return source.website_id;
}

async function measure(pid: number, wanted: FileWanted) {
  const idle = memoryOfTree(pid).anonymous;
  let most = idle;
  const sampling = setInterval(() => {
    most = Math.max(most, memoryOfTree(pid).anonymous);
  }, SAMPLE_MS);
  const args = ['--import', 'tsx', 'test/bench/exports/make-file.ts', JSON.stringify(wanted)];
  const { stdout } = await promisify(execFile)(process.execPath, args).finally(() => clearInterval(sampling));
  return { ...(JSON.parse(stdout) as FileFigures), idle, most };
}

const websiteId = await withEngine(options.clickhouse, fill);
const logger = createLogger('error', 'bench');
const engine = await startEmbeddedClickHouse({ directory: options.clickhouse, logger });
const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: MEMORY_BYTES });
try {
  const day = 86_400_000;
  const [window] = await clickhouse.read({
    name: 'bench.window',
    sql: 'SELECT toUnixTimestamp64Milli(min(timestamp)) AS start, toUnixTimestamp64Milli(max(timestamp)) AS end FROM requests WHERE website_id = {website: String}',
    params: { website: websiteId },
    row: z.object({ start: z.number(), end: z.number() }),
  });
  const { start, end } = { start: window!.start - day, end: window!.end + day };
  console.log('  format   compression        rows     MiB  rows/s   jobs MiB  engine MiB (idle)');
  for (const [format, compression] of kinds) {
    const wanted = {
      engineUrl: engine.url,
      maxMemoryBytes: MEMORY_BYTES,
      websiteId,
      start,
      end,
      format,
      compression,
    };
    const { rows, bytes, seconds, peakBytes, idle, most } = await measure(engine.pid()!, wanted);
    const mebibytes = (count: number) => `${Math.round(count / MEBIBYTE)}`;
    console.log(
      `  ${format.padEnd(8)} ${compression.padEnd(10)} ${`${rows}`.padStart(12)} ${mebibytes(bytes).padStart(7)} ${`${Math.round(rows / seconds)}`.padStart(7)} ${mebibytes(peakBytes).padStart(10)}  ${mebibytes(most)} (${mebibytes(idle)})`,
    );
  }
} finally {
  await clickhouse.close();
  await engine.stop();
}
