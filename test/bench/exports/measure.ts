import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEngine } from '../engine/with-engine.js';
import { startProgram } from '../pipeline/program.js';
import { sendOnce } from '../pipeline/rows-stored.js';
import { createWebsites } from '../pipeline/websites.js';
import { tableLines } from '../print/table.js';
import { memoryOfTree } from '../process-memory.js';
import { fillWith } from '../reads/fill.js';
import { figure } from '../statistics.js';
import type { Upload } from '../uploads.js';
import type { FileFigures, FileWanted } from './make-file.js';

/** The cost of a large export for the engine and the jobs service, in each format and compression. */
export interface ExportResult extends FileFigures {
  readonly format: string;
  readonly compression: string;
  /** Memory of the engine, bytes: before the export, and at most. */
  readonly idle: number;
  readonly most: number;
}

const MEBIBYTE = 1024 ** 2;
const SAMPLE_MS = 50;
/** The default of CLICKHOUSE_MAX_MEMORY_BYTES. */
const MEMORY_BYTES = 700 * MEBIBYTE;

const kinds = ['csv', 'ndjson']
  .flatMap((format) => ['none', 'gzip', 'zstd'].map((compression) => ({ format, compression })))
  .concat({ format: 'parquet', compression: 'none' });

/**
 * @param folder for this measurement only
 * @param uploads from which the rows are created
 * @param rows of the website, of people and of bots
 */
export async function measureExports(
  folder: string,
  uploads: readonly Upload[],
  { source, rows }: { readonly source: string; readonly rows: number },
): Promise<ExportResult[]> {
  const { dataDir, websiteId } = await fillWebsite(folder, uploads, source);
  await fillWith(dataDir, { websites: [websiteId], rows });
  const engine = await startEngine(join(dataDir, 'clickhouse'), MEMORY_BYTES);
  try {
    const results: ExportResult[] = [];
    for (const kind of kinds) {
      const wanted = {
        engineUrl: engine.url,
        maxMemoryBytes: MEMORY_BYTES,
        websiteId,
        end: Date.now(),
        ...kind,
      };
      results.push({ ...kind, ...(await measureFile(engine.pid, wanted)) });
    }
    return results;
  } finally {
    await engine.stop();
  }
}

async function fillWebsite(folder: string, uploads: readonly Upload[], source: string) {
  const program = await startProgram(folder);
  try {
    const [website] = await createWebsites(program.dataDir, 1);
    await sendOnce(await program.pipeline([website!.ingestKey]), uploads, source);
    return { dataDir: program.dataDir, websiteId: website!.id };
  } finally {
    await program.stop();
  }
}

async function measureFile(pid: number, wanted: FileWanted) {
  const idle = memoryOfTree(pid).anonymous;
  let most = idle;
  const sampling = setInterval(() => {
    most = Math.max(most, memoryOfTree(pid).anonymous);
  }, SAMPLE_MS);
  const words = ['--import', 'tsx', 'test/bench/exports/make-file.ts', JSON.stringify(wanted)];
  const { stdout } = await promisify(execFile)(process.execPath, words).finally(() =>
    clearInterval(sampling),
  );
  return { ...(JSON.parse(stdout) as FileFigures), idle, most };
}

export function exportLines(results: readonly ExportResult[]): string[] {
  const mebibytes = (bytes: number) => figure(bytes / MEBIBYTE);
  return tableLines([
    ['exports', 'compression', 'rows', 'MiB', 'rows/s', 'jobs MiB', 'engine MiB (idle)'],
    ...results.map(({ format, compression, rows, bytes, seconds, peakBytes, idle, most }) => [
      ...[format, compression, figure(rows), mebibytes(bytes), figure(rows / seconds), mebibytes(peakBytes)],
      `${mebibytes(most)} (${mebibytes(idle)})`,
    ]),
  ]);
}
