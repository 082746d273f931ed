import type { BenchFolder } from '../bench-folder.js';
import { measureRate, type RateResult } from '../pipeline/measure-rate.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import { sendersFor, warmUp } from '../write/measure-load.js';
import { startBenchCluster } from './cluster.js';

export interface DistributedOptions {
  readonly enrichers: number;
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
}

/**
 * Full ingest in distributed form: one ingest, some enrichers.
 * @returns null if no Kafka is available
 */
export async function measureDistributed(
  folder: BenchFolder,
  supply: UploadSupply,
  { enrichers, seconds, source, linesPerUpload }: DistributedOptions,
): Promise<RateResult | null> {
  const cluster = await startBenchCluster(folder, { enrichers });
  if (cluster === null) return null;
  try {
    const how = { seconds, source, senders: sendersFor(linesPerUpload) };
    const uploads = await warmUp(cluster.pipeline, supply, how);
    return await measureRate(cluster.pipeline, uploads, how);
  } finally {
    await cluster.stop();
  }
}
