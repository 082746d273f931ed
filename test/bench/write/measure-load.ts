import type { Freshness } from '../pipeline/freshness.js';
import {
  measureRate,
  type Onlooker,
  type Pipeline,
  type RateOptions,
  type RateResult,
} from '../pipeline/measure-rate.js';
import type { BenchProgram } from '../pipeline/program.js';
import type { ThreadLosses } from '../pipeline/watch-thread.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import type { Upload } from '../uploads.js';

/** The whole program under a load, with all external measurements. */
export interface LoadResult {
  readonly rate: RateResult;
  /** Lost time of the thread that ingest, the enricher and the API share, during uploads. */
  readonly losses: ThreadLosses;
  readonly freshness: Freshness;
}

export type LoadOptions = Omit<RateOptions, 'beside'>;

const WARM_UP_SECONDS = 4;
/** Lines a second. More than the maximum, so that none is sent twice. */
const WARM_UP_RATE = 200_000;
/**
 * A warm program accepts more than one that warms up. Otherwise the times of its lines fall behind by a fifth
 * of the run.
 */
const MORE_WHEN_WARM = 1.25;

/**
 * Loads a program until it is compiled and its caches are full: a newly started one is slower.
 * @returns uploads for the seconds of the options, at slightly more than the measured rate
 */
export async function warmUp(
  pipeline: Pipeline,
  supply: UploadSupply,
  { seconds, ...options }: LoadOptions,
): Promise<readonly Upload[]> {
  const uploads = await supply(WARM_UP_SECONDS, WARM_UP_RATE);
  const how = { ...options, seconds: WARM_UP_SECONDS, linesPerSecond: undefined };
  const { linesPerSecond } = await measureRate(pipeline, uploads, how);
  return supply(seconds, MORE_WHEN_WARM * linesPerSecond);
}

export async function measureLoad(
  program: BenchProgram,
  pipeline: Pipeline,
  uploads: readonly Upload[],
  options: LoadOptions,
): Promise<LoadResult> {
  let losses: ThreadLosses | undefined;
  let freshness: Freshness | undefined;
  async function beside(): Promise<Onlooker> {
    const probe = program.startProbe();
    await program.takeLosses();
    return {
      async end() {
        losses = await program.takeLosses();
        freshness = await probe.stop();
        return freshness.probes;
      },
    };
  }
  const rate = await measureRate(pipeline, uploads, { ...options, beside });
  return { rate, losses: losses!, freshness: freshness! };
}

/** Concurrent uploads: more if they are small, up to the limit of one website. */
export function sendersFor(linesPerUpload: number): number {
  return Math.min(16, Math.max(4, Math.ceil(10_000 / linesPerUpload)));
}
