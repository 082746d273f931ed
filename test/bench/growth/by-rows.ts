import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchFolder } from '../bench-folder.js';
import { untilQuiet } from '../engine/until-quiet.js';
import { measureRate } from '../pipeline/measure-rate.js';
import { startProgram } from '../pipeline/program.js';
import { sendOnce } from '../pipeline/rows-stored.js';
import { type BenchWebsite, createWebsites } from '../pipeline/websites.js';
import type { CurvePoint } from '../print/curve.js';
import { fillWith } from '../reads/fill.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import type { Upload } from '../uploads.js';
import { sendersFor, warmUp } from '../write/measure-load.js';
import { type GrowthOptions, pointOf } from './growth.js';

/** Websites with the rows; uploads go to the first one. */
const WEBSITES = 20;
/** Rows of the first website, of which the others get copies. */
const MOST_SENT = 100_000;

/**
 * Ingest into tables with existing rows. All trees are filled before the first measurement: merges after a
 * fill delete files.
 * @param filling uploads from which the existing rows are created
 */
export async function growByRows(
  folder: BenchFolder,
  { filling, supply }: { readonly filling: readonly Upload[]; readonly supply: UploadSupply },
  millions: readonly number[],
  { settleSeconds, progress, ...options }: GrowthOptions & { readonly settleSeconds: number },
): Promise<CurvePoint[]> {
  const trees: { folder: string; rows: number; websites: BenchWebsite[] }[] = [];
  for (const rows of millions.map((million) => 1e6 * million)) {
    progress(`filling tables with ${rows.toLocaleString('en-US')} rows`);
    const tree = await folder.fresh('rows');
    trees.push({ folder: tree, ...(await fillTree(tree, filling, { ...options, rows })) });
  }
  if (settleSeconds > 0) progress(`waiting ${settleSeconds} s`);
  await sleep(1000 * settleSeconds);
  const points: CurvePoint[] = [];
  for (const tree of trees) {
    progress(`full ingest onto ${tree.rows.toLocaleString('en-US')} rows`);
    const program = await startProgram(tree.folder);
    try {
      const pipeline = await program.pipeline([tree.websites[0]!.ingestKey]);
      const how = { ...options, senders: sendersFor(options.linesPerUpload) };
      await untilQuiet(pipeline.processes.engine);
      const uploads = await warmUp(pipeline, supply, how);
      points.push(pointOf(tree.rows, await measureRate(pipeline, uploads, how)));
    } finally {
      await program.stop();
    }
  }
  return points;
}

async function fillTree(
  folder: string,
  uploads: readonly Upload[],
  { rows, source, linesPerUpload }: { rows: number; source: string; linesPerUpload: number },
): Promise<{ websites: BenchWebsite[]; rows: number }> {
  const program = await startProgram(folder);
  let websites: BenchWebsite[];
  try {
    websites = await createWebsites(program.dataDir, WEBSITES);
    const lines = Math.min(MOST_SENT, rows / WEBSITES);
    if (lines > 0) {
      const pipeline = await program.pipeline([websites[0]!.ingestKey]);
      const some = uploads.slice(0, Math.max(1, Math.floor(lines / linesPerUpload)));
      await sendOnce(pipeline, some, source);
    }
  } finally {
    await program.stop();
  }
  if (rows === 0) return { websites, rows };
  return {
    websites,
    rows: await fillWith(program.dataDir, { websites: websites.map(({ id }) => id), rows }),
  };
}
