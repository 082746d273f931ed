import type { BenchFolder } from '../bench-folder.js';
import { measureDistributed } from '../distributed/measure.js';
import type { CurvePoint } from '../print/curve.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import { type GrowthOptions, pointOf } from './growth.js';

/**
 * Enrichers of the distributed form, with a partition for each.
 * @returns null if no Kafka is available
 */
export async function growByEnrichers(
  folder: BenchFolder,
  supply: UploadSupply,
  counts: readonly number[],
  { progress, ...options }: GrowthOptions,
): Promise<CurvePoint[] | null> {
  const points: CurvePoint[] = [];
  for (const enrichers of counts) {
    progress(`distributed, enrichers: ${enrichers}`);
    const rate = await measureDistributed(folder, supply, { ...options, enrichers });
    if (rate === null) return null;
    points.push(pointOf(enrichers, rate));
  }
  return points;
}
