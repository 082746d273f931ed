import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';
import { benchRequests } from '../lines.js';
import { type BenchProgram, startProgram } from '../pipeline/program.js';
import { sendOnce } from '../pipeline/rows-stored.js';
import { type BenchWebsite, createWebsites } from '../pipeline/websites.js';
import { enginePid } from '../process-memory.js';
import { packLines } from '../uploads.js';
import {
  benchedReads,
  type Calls,
  createCalls,
  DAYS,
  inRotation,
  type Mode,
  mixedReads,
  takesWindow,
} from './calls.js';
import { fillWith } from './fill.js';
import { ingestBeside, measureIngestRate } from './ingest.js';
import { measureCalls, type ReadFigures, type ReadTarget } from './measure.js';

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
  /** Empty: all. */
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
  /** {@link MIX}: all reads of a dashboard, alternately. */
  readonly read: string;
  /** null: the read has no window. */
  readonly hours: number | null;
  readonly load: Load;
  readonly mode: Mode;
  readonly connections: number;
  /** Longest pause of the API's event loop during the run, milliseconds. */
  readonly longestPauseMs: number;
}

type Load = 'alone' | 'beside ingest';

const MIX = 'mix';

/** The modes under each load. Beside ingest, a rolling window changes with each insert. */
const modesOf: Readonly<Record<Load, readonly Mode[]>> = {
  alone: ['cold', 'warm'],
  'beside ingest': ['rolling'],
};

/** Lines of the first website; the remaining rows are copies. */
const MOST_LINES = 200_000;
const LINES_PER_UPLOAD = 1_000;
const RATE_SECONDS = 5;
/** The mix is measured for this multiple of a read's duration. */
const MIX_DURATION = 5;

/** The cost of each read on a table with this many rows, whose data end now. */
export async function benchReads(options: ReadBenchOptions): Promise<ReadResult[]> {
  const { folder, progress, format, source } = options;
  let program = await startProgram(folder);
  try {
    progress(`creating ${options.websites} websites`);
    const websites = await createWebsites(program.dataDir, options.websites);
    const ingestKeys = websites.map(({ ingestKey }) => ingestKey);
    const count = Math.min(MOST_LINES, Math.ceil(options.rows / websites.length));
    const now = Date.now();
    const ofShop = { seed: 'reads', days: DAYS, end: now, domain: 'shop.example' };
    const lines = [...benchRequests({ ...ofShop, count })].map(formatters[format]);
    const uploads = await packLines(lines, LINES_PER_UPLOAD);
    progress(`sending ${count} lines`);
    // All to the first website, whose rows are copied.
    await sendOnce(await program.pipeline(ingestKeys.slice(0, 1)), uploads, source);
    await program.stop();
    progress(`filling up to ${options.rows} rows`);
    await fillWith(program.dataDir, { websites: websites.map(({ id }) => id), rows: options.rows });
    program = await startProgram(folder);
    const pipeline = await program.pipeline(ingestKeys);

    const place = { program, websites, calls: createCalls(websites.length, now) };
    const results = await measureAll(place, options, 'alone');
    if (options.beside) {
      const rate =
        options.ingestRate ??
        (await measureIngestRate(pipeline, uploads, { seconds: RATE_SECONDS, source })) / 2;
      progress(`the same during ingest of ${Math.round(rate)} lines a second, ${options.seconds} s each`);
      const beside = ingestBeside(pipeline, uploads, { linesPerSecond: rate, source });
      results.push(...(await measureAll(place, options, 'beside ingest')));
      await beside.stop();
    }
    return results;
  } finally {
    await program.stop();
  }
}

interface Place {
  readonly program: BenchProgram;
  readonly websites: readonly BenchWebsite[];
  readonly calls: Calls;
}

async function measureAll(place: Place, options: ReadBenchOptions, load: Load): Promise<ReadResult[]> {
  const { windows, reads, progress } = options;
  const chosen = benchedReads.filter((name) => reads.length === 0 || reads.includes(name));
  const results: ReadResult[] = [];
  for (const read of chosen) {
    progress(`${read}, ${load}`);
    for (const hours of takesWindow(read) ? windows : windows.slice(0, 1)) {
      const run = { read, hours, load, callsOf: (mode: Mode) => place.calls.of(mode, read, hours) };
      results.push(...(await measureRun(place, options, run)));
    }
  }
  for (const hours of windows) {
    progress(`${MIX}, ${load}`);
    const callsOf = (mode: Mode) => inRotation(mixedReads.map((read) => place.calls.of(mode, read, hours)));
    const longer = { ...options, seconds: MIX_DURATION * options.seconds };
    results.push(...(await measureRun(place, longer, { read: MIX, hours, load, callsOf })));
  }
  return results;
}

interface Measured {
  readonly read: string;
  readonly hours: number;
  readonly load: Load;
  callsOf(mode: Mode): ReturnType<Calls['of']>;
}

/** One read, or the mix, in each mode and with each number of connections. */
async function measureRun(
  { program, websites }: Place,
  { connections, seconds }: ReadBenchOptions,
  { read, hours, load, callsOf }: Measured,
): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  for (const mode of modesOf[load]) {
    for (const each of connections) {
      await program.takeLosses();
      const run = { connections: each, seconds };
      const figures = await measureCalls(targetOf(program), websites, callsOf(mode), run);
      const { pauses } = await program.takeLosses();
      const measured = { read, hours: takesWindow(read) ? hours : null, load, mode };
      results.push({ ...measured, connections: each, longestPauseMs: pauses.max, ...figures });
    }
  }
  return results;
}

function targetOf({ credentials, metricsUrl, pid }: BenchProgram): ReadTarget {
  return { apis: [{ url: credentials.base_url, metricsUrl, pid }], enginePid: enginePid(pid) };
}
