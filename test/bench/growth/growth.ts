import type { RateResult } from '../pipeline/measure-rate.js';
import type { CurvePoint } from '../print/curve.js';

/** Options of each point of a curve. */
export interface GrowthOptions {
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
  readonly progress: (text: string) => void;
}

/** A curve point. The engine's CPU is split by its purpose, the other processes' is not. */
export function pointOf(at: number, rate: RateResult): CurvePoint {
  const others = Object.entries(rate.cpu).filter(([name]) => name !== 'engine');
  const costs = Object.fromEntries(others.map(([name, { user, system }]) => [name, user + system]));
  return {
    at,
    linesPerSecond: rate.linesPerSecond,
    microsecondsPerLine: rate.cpuMicroseconds,
    costs: { ...costs, ...rate.engine },
  };
}
