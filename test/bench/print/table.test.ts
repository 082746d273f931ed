import { expect, it } from 'vitest';
import { namedLine, tableLines } from './table.js';

it('aligns names left and figures right, each column as wide as its widest cell', () => {
  const lines = tableLines([
    ['stage', 'combined', 'a'],
    ['inflate, long name', '1.00', '12,345'],
    ['x', '1,000.00'],
  ]);
  expect(lines).toEqual([
    'stage               combined       a',
    'inflate, long name      1.00  12,345',
    'x                   1,000.00',
  ]);
});

it('has no lines without rows', () => {
  expect(tableLines([])).toEqual([]);
});

it("prints a figure's name, and no blanks after a name without a figure", () => {
  expect(namedLine('memory, MiB', '12')).toBe(`memory, MiB${' '.repeat(32)}12`);
  expect(namedLine('memory, MiB', '')).toBe('memory, MiB');
});
