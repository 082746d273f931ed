import { expect, it } from 'vitest';
import { curveLines } from './curve.js';

const bars = (line: string) => (line.match(/█+/g) ?? []).map((bar) => bar.length);

it('draws each figure from 0 against its own maximum, and prints it as a multiple of the first', () => {
  const lines = curveLines('rows', [
    { at: 0, linesPerSecond: 60_000, microsecondsPerLine: 10, costs: { program: 4, merges: 6 } },
    { at: 1_000_000, linesPerSecond: 30_000, microsecondsPerLine: 20, costs: { program: 4, merges: 16 } },
  ]);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^rows +lines\/s +µs CPU a line$/);
  expect(lines[1]).toMatch(/^0 +60,000 +× 1\.00 +█+ +10\.00 +× 1\.00 +█+ +program 4\.00, merges 6\.00$/);
  expect(lines[2]).toMatch(
    /^1,000,000 +30,000 +× 0\.50 +█+ +20\.00 +× 2\.00 +█+ +program 4\.00, merges 16\.00$/,
  );
  expect(lines.slice(1).map(bars)).toEqual([
    [30, 15],
    [15, 30],
  ]);
});

it('has a bar for figures above 0, and none for 0 or missing ones', () => {
  const lines = curveLines('rows', [
    { at: 1, linesPerSecond: 100_000, microsecondsPerLine: Number.NaN, costs: {} },
    { at: 2, linesPerSecond: 1, microsecondsPerLine: 0, costs: {} },
  ]);
  expect(lines.slice(1).map(bars)).toEqual([[30], [1]]);
});

it('is empty without points', () => {
  expect(curveLines('rows', [])).toEqual([]);
});
