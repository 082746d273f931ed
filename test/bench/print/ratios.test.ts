import { expect, it } from 'vitest';
import { ratioLines } from './ratios.js';

it("prints the whole way as a multiple of each other's rate and cost", () => {
  const whole = { linesPerSecond: 50_000, cpuMicroseconds: 30 };
  const lines = ratioLines(whole, [
    ['GoAccess', { linesPerSecond: 100_000, cpuMicroseconds: 10 }],
    ['the engine alone', { linesPerSecond: 40_000, cpuMicroseconds: 60 }],
    ['GoAccess', { linesPerSecond: 80_000, cpuMicroseconds: 12 }],
  ]);
  expect(lines.map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    'whole way of GoAccess: 0.50 × lines/s, 3.00 × CPU a line',
    'whole way of the engine alone: 1.25 × lines/s, 0.50 × CPU a line',
    'whole way of GoAccess: 0.63 × lines/s, 2.50 × CPU a line',
  ]);
  expect(ratioLines(whole, [])).toEqual([]);
});
