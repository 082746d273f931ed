import { expect, it } from 'vitest';
import { readLines, readRatioLines } from './print.js';
import type { ReadResult } from './run.js';

const result = (given: Partial<ReadResult>): ReadResult => ({
  ...{ read: 'traffic', hours: 24, load: 'alone', mode: 'cold', connections: 1, longestPauseMs: 7.4 },
  ...{ calls: 10, failed: 0, callsPerSecond: 12.34, p50: 80, p95: 120.6 },
  ...{ engineCpuMs: 60, programCpuMs: 20, statements: 4, rowsRead: 4_200 },
  ...given,
});

it('prints a table for each load and window, with a column for each mode and number of connections', () => {
  const lines = readLines('1 M rows', [
    result({}),
    result({ connections: 16, failed: 2 }),
    result({ read: 'setup', hours: null }),
    result({ load: 'beside ingest', mode: 'rolling' }),
  ]);
  expect(lines.filter((line) => line.includes('1 M rows')).map((line) => line.split(';')[0])).toEqual([
    '1 M rows, alone, 24 h',
    '1 M rows, alone, own',
    '1 M rows, beside ingest, 24 h',
  ]);
  expect(lines[1]).toMatch(/^ +cold × 1 +cold × 16$/);
  expect(lines[2]).toBe(
    'traffic  4.0 4200 60.0 20.0; 12.3/s; 80.00/121, 7  4.0 4200 60.0 20.0; 12.3/s; 80.00/121, 7 2 failed',
  );
});

it('prints the cost of each size as a multiple of the first, and of each mode as one of the cold mode', () => {
  const small = [
    result({}),
    result({ mode: 'warm', engineCpuMs: 0, programCpuMs: 4 }),
    result({ mode: 'rolling', engineCpuMs: 30, programCpuMs: 10 }),
    result({ connections: 16, engineCpuMs: 999 }),
  ];
  const [title, head, row] = readRatioLines({ '1 M': small, '20 M': [result({ engineCpuMs: 100 })] });
  expect(title).toContain('at 1 M');
  expect(head?.trim().split(/ {2,}/)).toEqual([
    ...['1 M cold', '1 M rolling', '1 M warm', '20 M cold', '20 M rolling', '20 M warm'],
    ...['rolling of cold', 'warm of cold'],
  ]);
  expect(row?.trim().split(/ {2,}/)).toEqual([
    ...['traffic, 24 h', '80.0', '40.0', '4.0', '120.0 (× 1.50)', '× 0.50', '× 0.05'],
  ]);
});

it('has no ratios without results', () => {
  expect(readRatioLines({})).toEqual([]);
});
