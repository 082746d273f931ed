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

/** The whole program under a load, with all that is looked at from outside. */
export interface LoadResult {
  readonly rate: RateResult;
  /** Of the thread that ingest, the enricher and the API share, while uploads came. */
  readonly losses: ThreadLosses;
  readonly freshness: Freshness;
}

export type LoadOptions = Omit<RateOptions, 'beside'>;

const WARM_UP_SECONDS = 4;
/** Lines a second. More than is taken, so that none is sent twice. */
const WARM_UP_RATE = 200_000;
/** A warm program takes more than one that warms up. Where it does not, the times of its lines fall behind by a fifth of the run. */
const MORE_WHEN_WARM = 1.25;

/**
 * Loads a program until it is compiled and its caches are full: one that has just started is slower.
 * @returns uploads for the seconds of the options, at the rate that was seen here and somewhat more
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

/** Uploads under way at once: more where they are small, up to what one website may have. */
export function sendersFor(linesPerUpload: number): number {
  return Math.min(16, Math.max(4, Math.ceil(10_000 / linesPerUpload)));
}
