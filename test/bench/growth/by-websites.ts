import type { BenchFolder } from '../bench-folder.js';
import { untilQuiet } from '../engine/until-quiet.js';
import { measureRate } from '../pipeline/measure-rate.js';
import { startProgram } from '../pipeline/program.js';
import { createWebsites } from '../pipeline/websites.js';
import type { CurvePoint } from '../print/curve.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import { sendersFor, warmUp } from '../write/measure-load.js';
import { type GrowthOptions, pointOf } from './growth.js';

/**
 * Ingest into many websites, each of its own customer, with alternating uploads.
 * @param supply of small uploads, so that many websites get some of them
 */
export async function growByWebsites(
  folder: BenchFolder,
  supply: UploadSupply,
  counts: readonly number[],
  { progress, ...options }: GrowthOptions,
): Promise<CurvePoint[]> {
  const points: CurvePoint[] = [];
  for (const count of counts) {
    progress(`full ingest of ${count.toLocaleString('en-US')} websites`);
    const program = await startProgram(await folder.fresh('websites'));
    try {
      const websites = await createWebsites(program.dataDir, count);
      const pipeline = await program.pipeline(websites.map(({ ingestKey }) => ingestKey));
      const how = { ...options, senders: sendersFor(options.linesPerUpload) };
      const uploads = await warmUp(pipeline, supply, how);
      // The first lines of a website start its jobs.
      await untilQuiet(pipeline.processes.engine);
      points.push(pointOf(count, await measureRate(pipeline, uploads, how)));
    } finally {
      await program.stop();
    }
  }
  return points;
}
