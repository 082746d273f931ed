import { tmpdir } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import type { DemoFormat } from '../../deploy/demo/traffic/formats.js';
import { type Mode, modes } from './reads/calls.js';

/** Options of `npm run bench`. The defaults measure everything in about twenty minutes. */

/** In the order in which they run. */
export const partNames = [
  'parsers',
  'stages',
  'engine',
  'goaccess',
  'full',
  'uploads',
  'distributed',
  'growth',
  'reads',
  'exports',
  'crawl',
  'detector',
] as const;
export type PartName = (typeof partNames)[number];

/** Log sources of the bench's lines, and their format in the demo's traffic. */
const formats = { combined: 'combined', cloudflare: 'logpush', loglane: 'loglane' } as const;
export type BenchSource = keyof typeof formats;
export const formatOf = (source: BenchSource): DemoFormat => formats[source];

/** Seed of the detector's report. Thresholds are chosen on others, such as `development`. */
const REPORT_SEED = 'report 2026-11-22 d';

export interface BenchOptions {
  readonly only: readonly PartName[];
  readonly lines: number;
  readonly spreadHours?: number;
  readonly source: BenchSource;
  readonly sql?: string;
  readonly linesPerUpload: number;
  readonly seconds: number;
  readonly partSeconds: number;
  readonly uploadSizes: readonly number[];
  readonly uploadSources: readonly BenchSource[];
  readonly growRows: readonly number[];
  readonly growWebsites: readonly number[];
  readonly growEnrichers: readonly number[];
  readonly settle: number;
  readonly rows: readonly number[];
  readonly websites: number;
  readonly siteRows: number;
  readonly replicas: number;
  readonly otherWebsites: number;
  readonly data?: string;
  readonly windows: readonly number[];
  readonly connections: readonly number[];
  readonly reads: readonly string[];
  readonly readSeconds: number;
  readonly modes: readonly Mode[];
  readonly mixRate: number;
  readonly mixSeconds: number;
  readonly mixWarmUpSeconds: number;
  readonly ingestRate?: number;
  readonly exportRows: number;
  readonly crawlPages: number;
  readonly crawlLinks: number;
  readonly simulated: number;
  readonly injected: number;
  readonly seed: string;
  readonly verbose?: true;
  readonly folder: string;
  readonly keep?: true;
  readonly built?: true;
  readonly json?: string;
}

/**
 * @param words of the command line
 * @throws CommanderError for invalid words, after a message on standard error
 */
export function parseOptions(words: readonly string[]): BenchOptions {
  return benchCommand().exitOverride().parse(words, { from: 'user' }).opts<BenchOptions>();
}

function benchCommand(): Command {
  const sources = oneOf(Object.keys(formats) as BenchSource[]);
  return new Command('bench')
    .option('--only <parts>', `of ${partNames.join(',')}`, listOf(oneOf(partNames)), [...partNames])
    .option('--lines <n>', 'lines of the log file, and requests that a stream repeats', count, 500_000)
    .option(
      '--spread-hours <n>',
      'repeatedly sends a file whose lines are spread over this many hours; default: a stream, whose lines have their sending time',
      positive,
    )
    .option('--source <name>', 'of full, distributed, growth, engine, reads and exports', sources, 'combined')
    .option('--sql <file>', 'of engine: also inserts into the tables of these statements, for comparison')
    .option('--lines-per-upload <n>', 'of full, distributed and growth by rows and enrichers', count, 10_000)
    .option('--seconds <n>', 'duration of full ingest; 600 shows a decline by minute', count, 60)
    .option('--part-seconds <n>', 'duration of each point of uploads, distributed and growth', count, 8)
    .option('--upload-sizes <list>', 'lines an upload', listOf(count), [100, 1_000, 10_000])
    .option('--upload-sources <list>', 'of the uploads', listOf(sources), [
      'combined',
      'cloudflare',
      'loglane',
    ])
    .option('--grow-rows <list>', 'millions of existing rows, up to 100', listOf(number), [0, 1])
    .option('--grow-websites <list>', 'websites, up to 10000', listOf(count), [1, 100])
    .option('--grow-enrichers <list>', 'enrichers of the distributed form', listOf(count), [1, 2])
    .option('--settle <s>', 'pause between filling and measuring; 360 after filling many millions', number, 0)
    .option('--rows <list>', 'table sizes for the reads, millions', listOf(number), [1])
    .option('--websites <n>', 'websites that the rows belong to, at most', count, 200)
    .option('--site-rows <n>', 'rows of each website in the last 15 days', count, 100_000)
    .option('--replicas <n>', 'APIs of the distributed form; 0: the single process', number, 0)
    .option('--other-websites <n>', 'of the single process: more websites that get the stream', number, 0)
    .option('--data <folder>', "keeps the reads' data there for later runs")
    .option('--windows <list>', 'lengths of the windows, hours', listOf(count), [24])
    .option('--connections <list>', 'concurrent callers', listOf(count), [1, 16])
    .option('--reads <list>', 'paths of the reads; default: all; mix: only the mix', listOf(text), [])
    .option('--read-seconds <n>', 'duration of each read', number, 1)
    .option('--modes <list>', `of ${modes.join(',')}; rolling is during ingest`, listOf(oneOf(modes)), [
      'cold',
      'warm',
    ])
    .option('--mix-rate <n>', "calls a second of a dashboard's reads; 0: none", number, 50)
    .option('--mix-seconds <n>', 'duration of these calls', positive, 20)
    .option('--mix-warm-up-seconds <n>', 'duration of uncounted calls before', positive, 10)
    .option('--ingest-rate <n>', 'lines a second during the reads; default: half of the maximum', count)
    .option('--export-rows <n>', 'of exports, millions', positive, 1)
    .option('--crawl-pages <n>', 'pages of the generated site', count, 5_000)
    .option('--crawl-links <n>', 'links of each page', count, 20)
    .option('--simulated <n>', 'websites for the detector, three evaluated weeks each', number, 10)
    .option('--injected <n>', 'websites for its curve of strengths', number, 5)
    .option('--seed <text>', 'of the detector', REPORT_SEED)
    .option('--verbose', 'prints each mistake of the detector')
    .option('--folder <path>', 'folder of the data during the run', tmpdir())
    .option('--keep', 'keeps the data there')
    .option('--built', 'uses dist/ as it is')
    .option('--json <file>', 'also writes the figures here');
}

const text = (word: string) => word;

function number(word: string): number {
  const value = Number(word);
  if (word.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('Expected a number from 0 on.');
  return value;
}

function positive(word: string): number {
  const value = number(word);
  if (value === 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}

function count(word: string): number {
  const value = number(word);
  if (!Number.isSafeInteger(value) || value === 0)
    throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return value;
}

function oneOf<Name extends string>(names: readonly Name[]): (word: string) => Name {
  return (word) => {
    const found = names.find((name) => name === word);
    if (found === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return found;
  };
}

/** Comma-separated; `none` is the empty list. */
function listOf<Item>(parse: (word: string) => Item): (list: string) => Item[] {
  return (list) => (list === 'none' ? [] : list.split(',').map(parse));
}
