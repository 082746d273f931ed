import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { DAY_MS } from '../../shared/durations.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { measureBulkInsert } from './engine.js';
import { measureGoAccess } from './goaccess.js';
import { writeLineFiles } from './lines.js';
import { printReads } from './reads/print.js';
import { benchReads, type ReadResult } from './reads/run.js';
import { figure } from './statistics.js';
import { measureThroughput, type ThroughputResult } from './throughput.js';
import { packFile } from './uploads.js';

/**
 * `npm run bench`: the whole way beside the engine's own bulk insert and GoAccess, freshness, and what each windowed read
 * costs as the table grows. Ratios of one run are what it is for; absolute figures are this machine's, on this day.
 * A short look at the reads alone: `npm run bench -- --reads-only --rows 1 --websites 20 --seconds 2 --no-beside`.
 */

const LINES_PER_UPLOAD = 10_000;
const UPLOAD_SECONDS = 60;
const READ_SECONDS = 5;

const numbers = (list: string) => names(list).map(Number);
const names = (list: string) => list.split(',').filter((text) => text !== '' && text !== 'none');

const options = new Command('bench')
  .option('--lines <n>', 'lines of the log file', Number, 1_000_000)
  .option(
    '--seconds <n>',
    `how long uploads are sent (${UPLOAD_SECONDS}); with --reads-only, how long each read is asked (${READ_SECONDS})`,
    Number,
  )
  .option(
    '--rows <list>',
    'table sizes for the reads, millions, comma-separated; none: skip',
    numbers,
    [1, 5, 20],
  )
  .option('--reads-only', 'neither throughput nor the other programs')
  .option('--websites <n>', 'websites that the rows are spread over', Number, 200)
  .option('--windows <list>', 'lengths of the windows, hours', numbers, [24, 168])
  .option('--connections <list>', 'callers at once', numbers, [1, 16])
  .option('--reads <list>', 'paths of the reads; none: all', names, [])
  .option('--no-beside', 'reads alone, not beside ingest')
  .option('--ingest-rate <n>', 'lines a second beside the reads; default: half of what it takes', Number)
  .option('--built', 'takes what is built')
  .option('--source <name>', 'combined or loglane or cloudflare', 'combined')
  .option('--json <file>', 'also write the figures here')
  .parse()
  .opts<{
    lines: number;
    seconds?: number;
    rows: number[];
    readsOnly?: boolean;
    websites: number;
    windows: number[];
    connections: number[];
    reads: string[];
    beside: boolean;
    ingestRate?: number;
    built?: boolean;
    source: string;
    json?: string;
  }>();

interface Ingest {
  readonly lines: number;
  readonly throughput: ThroughputResult;
  readonly engineRowsPerSecond: number;
  readonly goaccessLinesPerSecond: number | null;
}

interface Report {
  readonly machine: string;
  readonly ingest: Ingest | null;
  /** By millions of rows. */
  readonly reads: Record<string, ReadResult[]>;
}

const format = options.source === 'cloudflare' ? 'logpush' : (options.source as 'combined' | 'loglane');
const folder = await mkdtemp(join(tmpdir(), 'loglane-bench-'));
const dataDir = join(folder, 'data');
let program: Standalone | undefined;
try {
  await run();
} finally {
  await program?.kill().catch(() => {});
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  if (options.built !== true) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const report: Report = {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`,
    ingest: options.readsOnly === true ? null : await benchIngest(),
    reads: {},
  };
  console.log(`${'machine'.padEnd(42)} ${report.machine}`);
  if (report.ingest !== null) printIngest(report.ingest);
  for (const millions of options.rows) {
    progress(`reads at ${millions} million rows`);
    const results = await benchReadsAt(millions, report.ingest?.throughput.linesPerSecond);
    report.reads[`${millions} M`] = results;
    printReads(`${millions} M rows, ${options.websites} websites`, results);
  }
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

function benchReadsAt(millions: number, linesPerSecond: number | undefined): Promise<ReadResult[]> {
  const { websites, windows, connections, reads, beside, source } = options;
  const ingestRate = options.ingestRate ?? (linesPerSecond === undefined ? undefined : linesPerSecond / 2);
  const seconds = options.readsOnly === true ? (options.seconds ?? READ_SECONDS) : READ_SECONDS;
  return benchReads({
    ...{ websites, windows, connections, reads, beside, source, ingestRate, seconds, format, progress },
    folder: join(folder, `reads-${millions}`),
    rows: millions * 1e6,
    async start(directory) {
      program = await startProgram(directory);
      return program;
    },
  });
}

async function startProgram(directory: string): Promise<Standalone> {
  const ports = { apiPort: await freePort(), ingestPort: await freePort() };
  return startStandalone({ dataDir: directory, ...ports, built: true });
}

async function benchIngest(): Promise<Ingest> {
  await mkdir(dataDir, { recursive: true });
  const seconds = options.seconds ?? UPLOAD_SECONDS;
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  progress(`writing ${figure(options.lines)} lines`);
  const formats = [...new Set([format, 'combined'] as const)];
  const files = await writeLineFiles(folder, formats, {
    count: options.lines,
    seed: 'bench',
    days: 7,
    end,
    domain: 'shop.example',
  });
  const pathOf = (wanted: string) => files.find((file) => file.format === wanted)!.path;
  const uploads = await packFile(pathOf(format), LINES_PER_UPLOAD);

  progress(`sending uploads for ${seconds} s`);
  program = await startProgram(dataDir);
  giveRoomForCalls();
  const throughput = await measureThroughput(program, uploads, { seconds, source: options.source });
  await program.stop();

  progress("the engine's own bulk insert");
  const lines = Math.min(options.lines, throughput.lines);
  const engineRowsPerSecond = await measureBulkInsert(dataDir, folder, lines);
  progress('GoAccess');
  const goaccessLinesPerSecond = await measureGoAccess(pathOf('combined'), options.lines, folder);
  await rm(dataDir, { recursive: true, force: true });
  return { lines: options.lines, throughput, engineRowsPerSecond, goaccessLinesPerSecond };
}

/** Probes of a long run would reach the hourly limit of the demo organisation's plan. */
function giveRoomForCalls(): void {
  const admin = (...words: string[]) =>
    execFileSync(process.execPath, ['dist/deploy/admin/main.js', ...words, '--json'], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    });
  const [organisation] = JSON.parse(admin('organisations', 'list')) as { id: string }[];
  admin('plan', 'set', organisation!.id, 'unlimited');
}

function printIngest({ throughput: t, engineRowsPerSecond, goaccessLinesPerSecond }: Ingest): void {
  const ratio = (other: number) => `${(t.linesPerSecond / other).toFixed(2)} ×`;
  const rows: [string, string][] = [
    ['whole way, lines/s', figure(t.linesPerSecond)],
    ['  lines, seconds', `${figure(t.lines)} in ${figure(t.seconds)} s; refused uploads ${t.refused}`],
    ['  by minute', t.minuteRates.map(figure).join(' ')],
    [
      "engine's own INSERT … SELECT FROM file()",
      `${figure(engineRowsPerSecond)}; whole way is ${ratio(engineRowsPerSecond)}`,
    ],
    [
      'GoAccess, same lines',
      goaccessLinesPerSecond === null
        ? 'not installed'
        : `${figure(goaccessLinesPerSecond)}; whole way is ${ratio(goaccessLinesPerSecond)}`,
    ],
    [
      'freshness, answered to visible, ms',
      `p50 ${figure(t.freshnessMs.p50)}, p99 ${figure(t.freshnessMs.p99)} of ${t.freshnessMs.probes}`,
    ],
    ['memory, MiB', `own pages ${figure(t.peakAnonymousMiB)}, mapped files ${figure(t.peakFileMiB)}`],
    ['CPU seconds per million lines', figure(t.cpuSecondsPerMillionLines)],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(42)} ${value}`);
}

function progress(text: string): void {
  console.error(`… ${text}`);
}
