import { measureRate, type Pipeline, type RateOptions, type RateResult } from '../pipeline/measure-rate.js';
import { type EngineCpu, engineCostsOf, engineCpuOf } from '../pipeline/process-cpu.js';
import type { CurvePoint } from '../print/curve.js';
import type { Upload } from '../uploads.js';

/** Of each point of a curve. */
export interface GrowthOptions {
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
  readonly progress: (text: string) => void;
}

/** Holds a load on a program of one process and its engine's. */
export async function measurePoint(
  at: number,
  pipeline: Pipeline,
  uploads: readonly Upload[],
  options: RateOptions,
): Promise<CurvePoint> {
  const engine = pipeline.processes.engine!;
  const before = engineCpuOf(engine);
  const rate = await measureRate(pipeline, uploads, options);
  return pointOf(at, rate, engineCostsOf(engineCpuOf(engine), before, rate.lines));
}

/** @param engine µs a line by what they were for; without, the engine is told as one process */
export function pointOf(
  at: number,
  { linesPerSecond, cpuMicroseconds, cpu }: RateResult,
  engine?: EngineCpu,
): CurvePoint {
  const processes = Object.entries(cpu).map(([name, { user, system }]) => [name, user + system] as const);
  const others = processes.filter(([name]) => engine === undefined || name !== 'engine');
  return {
    at,
    linesPerSecond,
    microsecondsPerLine: cpuMicroseconds,
    costs: { ...Object.fromEntries(others), ...engine },
  };
}
