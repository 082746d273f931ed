import type { DemoFormat } from '../../../deploy/demo/traffic/formats.js';
import { untilQuiet } from '../engine/until-quiet.js';
import { benchRequests } from '../lines.js';
import { type BenchWebsite, domainOf } from '../pipeline/websites.js';
import { type Call, type Calls, createCalls, DAYS, inRotation, type Mode } from './calls.js';
import { type ApiDocument, type BenchedRead, isNamed, mixOf, readsOf } from './catalogue.js';
import { measureRowCosts, noRows, type RowCosts } from './costs.js';
import { ingestBeside, measureIngestRate } from './ingest.js';
import { liveUploads } from './live-uploads.js';
import { measureCalls, type ReadFigures } from './measure.js';
import { measureOffered } from './open-loop.js';
import type { ReadData } from './prepare.js';
import { startReplicas } from './replicas.js';
import { type ReadSystem, startSingle } from './system.js';

export interface ReadBenchOptions {
  /** The program with the prepared data, which the run changes. */
  readonly folder: string;
  readonly data: ReadData;
  /** APIs of the distributed form; 0: the single process. */
  readonly replicas: number;
  /** Number of the asked websites. */
  readonly asked: number;
  /** Length of each run. */
  readonly seconds: number;
  /** Lengths of the windows, hours. */
  readonly windows: readonly number[];
  readonly connections: readonly number[];
  /** Empty: all. */
  readonly reads: readonly string[];
  readonly modes: readonly Mode[];
  /** Websites without rows. They get the same share of the stream as the others. */
  readonly otherWebsites: number;
  /** Calls a second of the mix; null: it is not measured. */
  readonly mixRate: number | null;
  readonly mixSeconds: number;
  /** Uncounted calls at the same rate, until the memory has the rows of the asked websites. */
  readonly mixWarmUpSeconds: number;
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
  /** Concurrent callers; null: calls at a fixed rate. */
  readonly connections: number | null;
  /** Longest pause of the API's event loop during the run, milliseconds. */
  readonly longestPauseMs: number;
}

export type Load = 'alone' | 'beside ingest';

const MIX = 'mix';

/** Beside ingest, a rolling window changes with each insert. */
const loadOf: Readonly<Record<Mode, Load>> = { cold: 'alone', warm: 'alone', rolling: 'beside ingest' };

/** Requests that the stream beside the reads repeats. */
const STREAM_REQUESTS = 20_000;
/** As a log shipper sends them. */
const LINES_PER_UPLOAD = 200;
const RATE_SECONDS = 5;
const ROW_COST_SECONDS = 10;

/** The cost of each read on the prepared data. */
export async function benchReads(options: ReadBenchOptions): Promise<ReadResult[]> {
  const { data, progress, format, source, modes } = options;
  const system =
    options.replicas === 0
      ? await startSingle(options.folder, data.websites, options.otherWebsites)
      : await startReplicas(options.folder, data.websites, options.replicas);
  try {
    const websites = data.websites.slice(0, options.asked);
    const all = readsOf(await documentOf(system));
    const reads = all.filter((read) => isNamed(read, options.reads));
    const { target, pipeline } = system;
    const place = { system, websites, reads, mix: mixOf(all), ofRow: noRows };
    const calls = createCalls(websites.length, data.now);
    progress('waiting until the engine is quiet');
    // On the first start of a day, daily jobs of all websites run.
    await untilQuiet(target.enginePid);
    const results = await measureAll(place, calls, options, modesUnder('alone', modes));
    if (!modes.includes('rolling')) return results;
    const requests = [
      ...benchRequests({
        ...{ seed: 'stream', days: DAYS, end: data.now, domain: domainOf(0) },
        count: STREAM_REQUESTS,
      }),
    ];
    const uploads = liveUploads(requests, format, LINES_PER_UPLOAD);
    const rate =
      options.ingestRate ??
      (await measureIngestRate(pipeline, uploads, { seconds: RATE_SECONDS, source })) / 2;
    progress(`the same during ingest of ${Math.round(rate)} lines a second`);
    const beside = ingestBeside(pipeline, uploads, { linesPerSecond: rate, source });
    try {
      const ofRow = await measureRowCosts(target, ROW_COST_SECONDS);
      results.push(...(await measureAll({ ...place, ofRow }, calls, options, ['rolling'])));
    } finally {
      await beside.stop();
    }
    return results;
  } finally {
    await system.stop();
  }
}

const modesUnder = (load: Load, modes: readonly Mode[]) => modes.filter((mode) => loadOf[mode] === load);

async function documentOf({ target }: ReadSystem): Promise<ApiDocument> {
  const response = await fetch(`${target.apis[0]!.url}/public/v1/openapi.json`);
  return (await response.json()) as ApiDocument;
}

interface Place {
  readonly system: ReadSystem;
  readonly websites: readonly BenchWebsite[];
  readonly reads: readonly BenchedRead[];
  readonly mix: readonly BenchedRead[];
  readonly ofRow: RowCosts;
}

async function measureAll(
  place: Place,
  calls: Calls,
  options: ReadBenchOptions,
  modes: readonly Mode[],
): Promise<ReadResult[]> {
  const { windows, connections, seconds, mixRate, mixSeconds, mixWarmUpSeconds, progress } = options;
  const { system, websites, mix, ofRow } = place;
  const { target } = system;
  const results: ReadResult[] = [];
  for (const mode of modes) {
    for (const read of place.reads) {
      progress(`${read.name}, ${mode}`);
      for (const hours of read.window === 'fixed' ? windows.slice(0, 1) : windows) {
        for (const each of connections) {
          const run = { connections: each, seconds, ofRow };
          const next = calls.of(mode, read, hours);
          const measured = await watched(place, () => measureCalls(target, websites, next, run));
          const shown = read.window === 'fixed' ? null : hours;
          results.push({
            read: read.name,
            hours: shown,
            load: loadOf[mode],
            mode,
            connections: each,
            ...measured,
          });
        }
      }
    }
    if (mixRate === null || mode === 'warm') continue;
    for (const hours of windows) {
      progress(`${MIX} at ${mixRate} calls a second, ${mode}`);
      const run = { callsPerSecond: mixRate, seconds: mixSeconds, warmUpSeconds: mixWarmUpSeconds, ofRow };
      const next: () => Call = inRotation(mix.map((read) => calls.of(mode, read, hours)));
      const measured = await watched(place, () => measureOffered(target, websites, next, run));
      results.push({ read: MIX, hours, load: loadOf[mode], mode, connections: null, ...measured });
    }
  }
  return results;
}

/** Adds the longest pause of the event loop during the work. */
async function watched<Figures>(
  { system }: Place,
  work: () => Promise<Figures>,
): Promise<Figures & { longestPauseMs: number }> {
  await system.takeLongestPause();
  const figures = await work();
  return { ...figures, longestPauseMs: await system.takeLongestPause() };
}
