import { namedLine } from './table.js';

/** A rate and its cost. */
export interface Rate {
  readonly linesPerSecond: number;
  /** µs of CPU a line. */
  readonly cpuMicroseconds: number;
}

/**
 * The whole way as a multiple of each other rate of the same run, which is comparable between machines and
 * days.
 */
export function ratioLines(whole: Rate, others: readonly (readonly [name: string, rate: Rate])[]): string[] {
  return others.map(([name, other]) => {
    const rate = (whole.linesPerSecond / other.linesPerSecond).toFixed(2);
    const cost = (whole.cpuMicroseconds / other.cpuMicroseconds).toFixed(2);
    return namedLine(`whole way of ${name}`, `${rate} × lines/s, ${cost} × CPU a line`);
  });
}
