import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { freePort, type Standalone, startStandalone } from '../harness/standalone.js';
import { growTo, measureBulkInsert } from './engine.js';
import { measureGoAccess } from './goaccess.js';
import { writeLineFiles } from './lines.js';
import { type Latency, measureReads, readsOf } from './read-latency.js';
import { figure } from './statistics.js';
import {
  countVisible,
  measureThroughput,
  type ThroughputResult,
  type Upload,
  untilVisible,
} from './throughput.js';

/**
 * `npm run bench`: the whole way beside the engine's own bulk insert and GoAccess, freshness, and read latency as the
 * table grows. Ratios of one run are what it is for; absolute figures are this machine's, on this day.
 */

const DAY_MS = 86_400_000;
const LINES_PER_UPLOAD = 10_000;

const options = new Command('bench')
  .option('--lines <n>', 'lines of the log file', Number, 1_000_000)
  .option('--seconds <n>', 'how long uploads are sent', Number, 60)
  .option('--rows <list>', 'table sizes for read latency, millions, comma-separated; none: skip', '1,5,20')
  .option('--source <name>', 'combined or loglane or cloudflare', 'combined')
  .option('--json <file>', 'also write the figures here')
  .parse()
  .opts<{ lines: number; seconds: number; rows: string; source: string; json?: string }>();

interface Report {
  machine: string;
  lines: number;
  throughput: ThroughputResult;
  engineRowsPerSecond: number;
  goaccessLinesPerSecond: number | null;
  reads: Record<string, Record<string, Latency>>;
}

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
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  await mkdir(dataDir, { recursive: true });
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const format = options.source === 'cloudflare' ? 'logpush' : (options.source as 'combined' | 'loglane');
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
  const uploads = await packUploads(pathOf(format));

  progress(`sending uploads for ${options.seconds} s`);
  const ports = { apiPort: await freePort(), ingestPort: await freePort() };
  const start = () => startStandalone({ dataDir, ...ports, built: true });
  program = await start();
  giveRoomForCalls();
  const throughput = await measureThroughput(program, uploads, options);
  await program.stop();

  progress("the engine's own bulk insert");
  const engineRowsPerSecond = await measureBulkInsert(
    dataDir,
    folder,
    Math.min(options.lines, throughput.lines),
  );
  progress('GoAccess');
  const goaccessLinesPerSecond = await measureGoAccess(pathOf('combined'), options.lines, folder);

  const reads: Report['reads'] = {};
  for (const millions of options.rows.split(',').filter((text) => text !== '')) {
    progress(`reads at ${millions} million rows`);
    if (Object.keys(reads).length === 0) await rm(dataDir, { recursive: true, force: true });
    reads[`${millions} M`] = await readsAt(Number(millions) * 1e6, uploads, start, end);
  }
  const report: Report = {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`,
    lines: options.lines,
    throughput,
    engineRowsPerSecond,
    goaccessLinesPerSecond,
    reads,
  };
  print(report);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
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

/** A fresh instance takes the file once; copies of its rows make up the rest. */
async function readsAt(rows: number, uploads: Upload[], start: () => Promise<Standalone>, end: number) {
  program = await start();
  giveRoomForCalls();
  if ((await countVisible(program)) === 0) await sendOnce(program, uploads);
  await program.stop();
  await growTo(dataDir, rows);
  program = await start();
  const day = (offset: number) => new Date(end + offset * DAY_MS).toISOString().slice(0, 10);
  const ips = (await program.get(`/ips?start=${day(-7)}&end=${day(-1)}&max_rows=1`)) as unknown as {
    ips: { client_ip: string }[];
  };
  const latencies = await measureReads(
    program,
    readsOf(day(-7), day(-1), ips.ips[0]?.client_ip ?? '192.0.2.1'),
  );
  await program.stop();
  return latencies;
}

async function sendOnce(instance: Standalone, uploads: Upload[]): Promise<void> {
  let lines = 0;
  for (const { body } of uploads) {
    const response = await fetch(`${instance.credentials.ingest_url}?source=${options.source}`, {
      method: 'POST',
      headers: { 'x-api-key': instance.credentials.ingest_key, 'content-encoding': 'gzip' },
      body,
    });
    lines += ((await response.json()) as { accepted: number }).accepted;
  }
  await untilVisible(instance, lines);
}

async function packUploads(path: string): Promise<Upload[]> {
  const uploads: Upload[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0)
      uploads.push({ lines: lines.length, body: gzipSync(lines.join('\n'), { level: 1 }) });
    lines = [];
  };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (lines.push(line) === LINES_PER_UPLOAD) flush();
  }
  flush();
  return uploads;
}

function print({ machine, throughput: t, engineRowsPerSecond, goaccessLinesPerSecond, reads }: Report): void {
  const ratio = (other: number) => `${(t.linesPerSecond / other).toFixed(2)} ×`;
  const rows: [string, string][] = [
    ['machine', machine],
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
  const sizes = Object.keys(reads);
  if (sizes.length === 0) return;
  console.log(
    `\n${'read latency, p50 / p95 ms'.padEnd(28)}${sizes.map((size) => size.padStart(18)).join('')}`,
  );
  for (const name of Object.keys(reads[sizes[0]!]!)) {
    const cells = sizes.map((size) =>
      `${figure(reads[size]![name]!.p50)} / ${figure(reads[size]![name]!.p95)}`.padStart(18),
    );
    console.log(`${name.padEnd(28)}${cells.join('')}`);
  }
}

function progress(text: string): void {
  console.error(`… ${text}`);
}
