import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../shared/durations.js';
import type { BenchFolder } from './bench-folder.js';
import { crawlLines, measureCrawl } from './crawl/measure.js';
import { benchInjections } from './detector/inject.js';
import { nabLines } from './detector/nab/report.js';
import { injectionLines, mistakeLines, weekLines } from './detector/print.js';
import { benchWeeks } from './detector/weeks.js';
import { measureDistributed } from './distributed/measure.js';
import { measureBulk } from './engine/bulk.js';
import { bulkLines, bulkRates } from './engine/print.js';
import { exportLines, measureExports } from './exports/measure.js';
import { measureGoAccess } from './goaccess.js';
import { growByEnrichers } from './growth/by-enrichers.js';
import { growByRows } from './growth/by-rows.js';
import { growByWebsites } from './growth/by-websites.js';
import { type LineOptions, writeLineFiles } from './lines.js';
import { type BenchOptions, type BenchSource, formatOf, type PartName } from './options.js';
import { measureParsers, parserLines } from './parsers/measure.js';
import { curveLines } from './print/curve.js';
import type { Rate } from './print/ratios.js';
import { namedLine } from './print/table.js';
import { copyData } from './reads/data-folder.js';
import { prepareData, type ReadData } from './reads/prepare.js';
import { readLines, readRatioLines } from './reads/print.js';
import { benchReads, type ReadResult } from './reads/run.js';
import { measureStages, type StageCosts } from './stages/measure-stages.js';
import { stageLines } from './stages/print.js';
import { figure } from './statistics.js';
import type { MakeUploads } from './stream/make-uploads.js';
import { openStreamThread } from './stream/open-stream-thread.js';
import { fileSupply, streamSupply, type UploadSupply } from './stream/upload-supply.js';
import { packFile, type Upload } from './uploads.js';
import { measureFull } from './write/full.js';
import { fullLines, rateLines, uploadSizeLines } from './write/print.js';
import { measureUploadSize, type UploadSizeResult } from './write/upload-sizes.js';

/** The parts of the bench: each measures, and returns its printed lines. */

export interface PartContext {
  readonly options: BenchOptions;
  readonly folder: BenchFolder;
  readonly progress: (text: string) => void;
}

export interface PartResult {
  readonly figures: unknown;
  /** The write path's rate, with which the `rates` of other parts are compared. */
  readonly whole?: Rate;
  readonly rates?: Readonly<Record<string, Rate>>;
  /** For people. */
  readonly lines: readonly string[];
}

/** Lines of the stages, which process them several times. */
const STAGE_LINES = 100_000;
const ENGINE_LINES = 300_000;
/** Lines from which the rows of exports are copied. */
const EXPORT_LINES = 100_000;
/** Uploads of `growth` by websites: so small that many websites get some. */
const WEBSITE_UPLOAD_LINES = 100;
const NO_KAFKA = 'no Kafka: neither KAFKA_BROKERS nor Java 17 with Maven';

export const parts: Readonly<Record<PartName, (context: PartContext) => Promise<PartResult>>> = {
  async parsers({ progress }) {
    progress('parsers');
    const figures = await measureParsers();
    return { figures, lines: parserLines(figures) };
  },

  async stages(context) {
    const bySource: Partial<Record<BenchSource, StageCosts>> = {};
    for (const source of context.options.uploadSources) {
      context.progress(`stages of ${source}`);
      bySource[source] = await measureStages(await firstUploads(context, source, STAGE_LINES), source);
    }
    return { figures: bySource, lines: stageLines(bySource as Record<string, StageCosts>) };
  },

  async engine(context) {
    context.progress('the engine alone');
    const { source, sql } = context.options;
    const uploads = await firstUploads(context, source, ENGINE_LINES);
    const figures = await measureBulk(context.folder, uploads, source, sql);
    return { figures, lines: bulkLines(figures), rates: bulkRates(figures) };
  },

  async goaccess(context) {
    context.progress('GoAccess');
    const { lines } = context.options;
    const file = await lineFile(context, 'combined');
    const figures = await measureGoAccess(file, lines, await context.folder.fresh('goaccess'));
    const rateText =
      figures === null
        ? 'not installed'
        : `${figure(figures.linesPerSecond)}; µs CPU a line ${figure(figures.cpuMicroseconds)}`;
    const rates = figures === null ? {} : { GoAccess: figures };
    return { figures, lines: [namedLine('GoAccess, same lines, lines/s', rateText)], rates };
  },

  async full(context) {
    const { options, folder, progress } = context;
    const supply = await supplyOf(context);
    const figures = await measureFull(await folder.fresh('full'), supply, { ...options, progress });
    return { figures, lines: fullLines(figures), whole: figures.full.rate };
  },

  async uploads(context) {
    const { options, folder, progress } = context;
    const figures: UploadSizeResult[] = [];
    for (const source of options.uploadSources) {
      for (const linesPerUpload of options.uploadSizes) {
        progress(`uploads of ${linesPerUpload} lines, ${source}`);
        const how = { seconds: options.partSeconds, source, linesPerUpload };
        const supply = await supplyOf(context, how);
        figures.push(await measureUploadSize(await folder.fresh('uploads'), supply, how));
      }
    }
    return { figures, lines: uploadSizeLines(figures) };
  },

  async distributed(context) {
    context.progress('distributed, one ingest and one enricher');
    const { options, folder } = context;
    const how = { ...options, seconds: options.partSeconds, enrichers: 1 };
    const figures = await measureDistributed(folder, await supplyOf(context), how);
    return { figures, lines: figures === null ? [NO_KAFKA] : rateLines('distributed, full ingest', figures) };
  },

  async growth(context) {
    const { options, folder, progress } = context;
    const { growRows, growWebsites, growEnrichers, settle: settleSeconds } = options;
    const { source, linesPerUpload, partSeconds: seconds } = options;
    const supply = await supplyOf(context);
    const filling = await firstUploads(context, source, options.lines);
    const how = { source, linesPerUpload, seconds, progress };
    const rows = await growByRows(folder, { filling, supply }, growRows, { ...how, settleSeconds });
    const small = { ...how, linesPerUpload: WEBSITE_UPLOAD_LINES };
    const websites = await growByWebsites(folder, await supplyOf(context, small), growWebsites, small);
    const enrichers = await growByEnrichers(folder, supply, growEnrichers, how);
    const lines = [
      ...curveLines('rows in the table', rows),
      ...curveLines(`websites, uploads of ${WEBSITE_UPLOAD_LINES}`, websites),
      ...(enrichers === null ? [NO_KAFKA] : curveLines('enrichers, distributed', enrichers)),
    ];
    return { figures: { rows, websites, enrichers }, lines };
  },

  async reads({ options, folder, progress }) {
    const { websites, siteRows, source, mixRate } = options;
    const how = { websites, rowsOfShop: siteRows, format: formatOf(source), source, progress };
    const kept = options.data ?? (await folder.fresh('read-data'));
    const sizes: ReadData[] = [];
    for (const millions of options.rows) {
      progress(`data of ${millions} million rows`);
      sizes.push(await prepareData({ ...how, folder: kept }, millions * 1e6));
    }
    if (options.modes.length === 0) return { figures: null, lines: [namedLine('data', kept)] };
    // The same websites at each size.
    const asked = Math.min(websites, ...sizes.map(({ rows }) => Math.max(1, Math.floor(rows / siteRows))));
    const figures: Record<string, ReadResult[]> = {};
    const lines: string[] = [];
    for (const data of sizes) {
      const { rows } = data;
      const name = `${rows / 1e6} M`;
      progress(`reads of ${asked} websites at ${name} rows`);
      const tree = join(kept, `run-${rows}`);
      const remove = () => rm(tree, { recursive: true, force: true });
      await remove();
      folder.atEnd(remove);
      await copyData(join(data.folder, 'data'), join(tree, 'data'));
      figures[name] = await benchReads({
        ...{ ...options, ...how, folder: tree, data, asked },
        ...{ seconds: options.readSeconds, mixRate: mixRate === 0 ? null : mixRate },
        ingestRate: options.ingestRate,
      });
      lines.push(...readLines(`${name} rows, ${asked} websites asked`, figures[name]));
    }
    lines.push(...readRatioLines(figures));
    return { figures, lines };
  },

  async exports(context) {
    const { options, folder, progress } = context;
    const { source, exportRows } = options;
    progress(`exports of ${exportRows} million rows`);
    const uploads = await firstUploads(context, source, EXPORT_LINES);
    const how = { source, rows: exportRows * 1e6 };
    const figures = await measureExports(await folder.fresh('exports'), uploads, how);
    return { figures, lines: exportLines(figures) };
  },

  async crawl({ options: { crawlPages, crawlLinks }, folder, progress }) {
    progress(`a crawl of ${crawlPages} pages`);
    const size = { pages: crawlPages, links: crawlLinks };
    const figures = await measureCrawl(await folder.fresh('crawl'), size);
    return { figures, lines: crawlLines(figures) };
  },

  async detector({ options: { simulated, injected, seed, verbose }, progress }) {
    progress(`the detector on simulated websites, seed "${seed}"`);
    const weeks = simulated > 0 ? benchWeeks(seed, simulated) : null;
    const injections = injected > 0 ? benchInjections(seed, injected) : null;
    const nab = process.env.NAB_DIR;
    return {
      figures: { weeks, injections: injections && Object.fromEntries(injections) },
      lines: [
        ...(weeks === null ? [] : weekLines(weeks)),
        ...(weeks === null || verbose !== true ? [] : mistakeLines(weeks)),
        ...(injections === null ? [] : injectionLines(injections)),
        ...(nab === undefined ? [] : nabLines(nab)),
      ],
    };
  },
};

const startedAt = Date.now();
const WEEK_HOURS = 168;

/** The demo's traffic, by default of the week up to today. */
function lineOptions({ lines, spreadHours = WEEK_HOURS }: BenchOptions): LineOptions {
  return {
    count: lines,
    seed: 'bench',
    days: spreadHours / 24,
    end: spreadHours < 24 ? startedAt : Math.floor(startedAt / DAY_MS) * DAY_MS,
    domain: 'shop.example',
  };
}

/** The same requests in every format, created at the first call. */
async function lineFile({ options, folder, progress }: PartContext, source: BenchSource): Promise<string> {
  const sources = [...new Set<BenchSource>([options.source, 'combined', ...options.uploadSources])];
  const files = await writeLineFiles(join(folder.path, 'lines'), sources.map(formatOf), {
    ...lineOptions(options),
    onWriting: () => progress(`writing ${figure(options.lines)} lines`),
  });
  return files.find(({ format }) => format === formatOf(source))!.path;
}

/** A stream, unless a file's lines are requested. */
async function supplyOf(
  context: PartContext,
  { source, linesPerUpload }: Pick<BenchOptions, 'source' | 'linesPerUpload'> = context.options,
): Promise<UploadSupply> {
  const { options } = context;
  if (options.spreadHours !== undefined)
    return fileSupply(await packFile(await lineFile(context, source), linesPerUpload));
  return streamSupply(makerOf(context), formatOf(source), linesPerUpload);
}

const makers = new WeakMap<BenchFolder, MakeUploads>();

/** One for the whole run: its requests take two seconds to create. */
function makerOf({ options, folder }: PartContext): MakeUploads {
  const known = makers.get(folder);
  if (known !== undefined) return known;
  const { make, end } = openStreamThread(lineOptions(options));
  folder.atEnd(end);
  makers.set(folder, make);
  return make;
}

/** Uploads with some of the lines. */
async function firstUploads(context: PartContext, source: BenchSource, lines: number): Promise<Upload[]> {
  const { linesPerUpload } = context.options;
  const uploads = await packFile(await lineFile(context, source), linesPerUpload);
  return uploads.slice(0, Math.max(1, Math.ceil(lines / linesPerUpload)));
}
