import type { RateResult } from '../pipeline/measure-rate.js';
import type { CurvePoint } from '../print/curve.js';

/** Of each point of a curve. */
export interface GrowthOptions {
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
  readonly progress: (text: string) => void;
}

export function pointOf(at: number, { linesPerSecond, cpuMicroseconds }: RateResult): CurvePoint {
  return { at, linesPerSecond, microsecondsPerLine: cpuMicroseconds };
}
