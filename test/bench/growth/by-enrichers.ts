import type { BenchFolder } from '../bench-folder.js';
import { measureDistributed } from '../distributed/measure.js';
import type { CurvePoint } from '../print/curve.js';
import type { Upload } from '../uploads.js';
import { type GrowthOptions, pointOf } from './growth.js';

/** Enrichers of the distributed form, a partition for each. @returns null where no Kafka can be had. */
export async function growByEnrichers(
  folder: BenchFolder,
  uploads: readonly Upload[],
  counts: readonly number[],
  { progress, ...options }: GrowthOptions,
): Promise<CurvePoint[] | null> {
  const points: CurvePoint[] = [];
  for (const enrichers of counts) {
    progress(`distributed, enrichers: ${enrichers}`);
    const rate = await measureDistributed(folder, uploads, { ...options, enrichers });
    if (rate === null) return null;
    points.push(pointOf(enrichers, rate));
  }
  return points;
}
