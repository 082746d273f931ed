import type { Freshness } from '../pipeline/freshness.js';
import {
  measureRate,
  type Onlooker,
  type Pipeline,
  type RateOptions,
  type RateResult,
} from '../pipeline/measure-rate.js';
import { type EngineCpu, engineCostsOf, engineCpuOf } from '../pipeline/process-cpu.js';
import type { BenchProgram } from '../pipeline/program.js';
import type { ThreadLosses } from '../pipeline/watch-thread.js';
import type { Upload } from '../uploads.js';

/** The whole program under a load, with all that is looked at from outside. */
export interface LoadResult {
  readonly rate: RateResult;
  /** What the engine's CPU was for, µs a line. */
  readonly engine: EngineCpu;
  /** Of the thread that ingest, the enricher and the API share, while uploads came. */
  readonly losses: ThreadLosses;
  readonly freshness: Freshness;
}

export type LoadOptions = Omit<RateOptions, 'beside'>;

/** Compiled and with its caches full: a program that has just started is slower. */
const WARM_UP_SECONDS = 4;

export async function warmUp(
  pipeline: Pipeline,
  uploads: readonly Upload[],
  options: LoadOptions,
): Promise<void> {
  await measureRate(pipeline, uploads, { ...options, seconds: WARM_UP_SECONDS, linesPerSecond: undefined });
}

export async function measureLoad(
  program: BenchProgram,
  pipeline: Pipeline,
  uploads: readonly Upload[],
  options: LoadOptions,
): Promise<LoadResult> {
  const enginePid = pipeline.processes.engine!;
  let engineBefore: EngineCpu | undefined;
  let losses: ThreadLosses | undefined;
  let freshness: Freshness | undefined;
  async function beside(): Promise<Onlooker> {
    const probe = program.startProbe();
    engineBefore = engineCpuOf(enginePid);
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
  const engine = engineCostsOf(engineCpuOf(enginePid), engineBefore!, rate.lines);
  return { rate, engine, losses: losses!, freshness: freshness! };
}

/** Uploads under way at once: more where they are small, up to what one website may have. */
export function sendersFor(linesPerUpload: number): number {
  return Math.min(16, Math.max(4, Math.ceil(10_000 / linesPerUpload)));
}
