import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';
import type { Standalone } from '../../harness/standalone.js';
import { benchRequests } from '../lines.js';
import { startProgram } from '../pipeline/program.js';
import { sendOnce } from '../pipeline/rows-stored.js';
import { type BenchWebsite, createWebsites } from '../pipeline/websites.js';
import { packLines } from '../uploads.js';
import { takesWindow, windowedReads } from './calls.js';
import { fillWith } from './fill.js';
import { ingestBeside, measureIngestRate } from './ingest.js';
import { type Mode, measureRead, type ReadFigures } from './measure.js';

export interface ReadBenchOptions {
  /** An empty folder for this run only. */
  readonly folder: string;
  /** In the table, over all websites. */
  readonly rows: number;
  readonly websites: number;
  /** Length of each run. */
  readonly seconds: number;
  /** Lengths of the windows, hours. */
  readonly windows: readonly number[];
  readonly connections: readonly number[];
  readonly reads: readonly string[];
  /** Also during uploads. */
  readonly beside: boolean;
  /** Lines a second during the reads; undefined: half of the program's maximum, measured here. */
  readonly ingestRate: number | undefined;
  readonly format: DemoFormat;
  readonly source: string;
  readonly progress: (text: string) => void;
}

export interface ReadResult extends ReadFigures {
  readonly read: string;
  /** null: the read has no window. */
  readonly hours: number | null;
  readonly load: 'alone' | 'beside ingest';
  readonly mode: Mode;
  readonly connections: number;
}

/** Enough for the window and the one before it. */
const DAYS = 15;
/** Lines of the first website; the remaining rows are copies. */
const MOST_LINES = 200_000;
const LINES_PER_UPLOAD = 1_000;
const RATE_SECONDS = 5;

/** The cost of each windowed read on a table with this many rows, whose data end now. */
export async function benchReads(options: ReadBenchOptions): Promise<ReadResult[]> {
  const { folder, progress, format, source } = options;
  let program = await startProgram(folder);
  try {
    progress(`creating ${options.websites} websites`);
    const websites = await createWebsites(program.dataDir, options.websites);
    const ingestKeys = websites.map(({ ingestKey }) => ingestKey);
    const count = Math.min(MOST_LINES, Math.ceil(options.rows / websites.length));
    const ofShop = { seed: 'reads', days: DAYS, end: Date.now(), domain: 'shop.example' };
    const lines = [...benchRequests({ ...ofShop, count })].map(formatters[format]);
    const uploads = await packLines(lines, LINES_PER_UPLOAD);
    progress(`sending ${count} lines`);
    await sendOnce(await program.pipeline(ingestKeys), uploads, source);
    await program.stop();
    progress(`filling up to ${options.rows} rows`);
    await fillWith(program.dataDir, { websites: websites.map(({ id }) => id), rows: options.rows });
    program = await startProgram(folder);
    const pipeline = await program.pipeline(ingestKeys);

    const rounds = { cold: 0, warm: 0 };
    const results = await measureAll(program, websites, options, 'alone', rounds);
    if (options.beside) {
      const rate =
        options.ingestRate ??
        (await measureIngestRate(pipeline, uploads, { seconds: RATE_SECONDS, source })) / 2;
      progress(`the same during ingest of ${Math.round(rate)} lines a second, ${options.seconds} s each`);
      const beside = ingestBeside(pipeline, uploads, { linesPerSecond: rate, source });
      results.push(...(await measureAll(program, websites, options, 'beside ingest', rounds)));
      await beside.stop();
    }
    return results;
  } finally {
    await program.stop();
  }
}

async function measureAll(
  program: Standalone,
  websites: readonly BenchWebsite[],
  { seconds, windows, connections, reads, progress }: ReadBenchOptions,
  load: ReadResult['load'],
  rounds: { cold: number; warm: number },
): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  for (const read of windowedReads.filter((name) => reads.length === 0 || reads.includes(name))) {
    progress(`${read}, ${load}`);
    for (const hours of takesWindow(read) ? windows : windows.slice(0, 1)) {
      for (const mode of ['cold', 'warm'] as const) {
        for (const each of connections) {
          const run = { read, hours, mode, connections: each, seconds };
          const figures = await measureRead(program, websites, run, rounds);
          results.push({ ...run, hours: takesWindow(read) ? hours : null, load, ...figures });
        }
      }
    }
  }
  return results;
}
