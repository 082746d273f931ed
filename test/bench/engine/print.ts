import type { Rate } from '../print/ratios.js';
import { tableLines } from '../print/table.js';
import { figure } from '../statistics.js';
import type { BulkResult } from './bulk.js';

const LARGEST_TABLES = 6;

export function bulkLines(results: readonly BulkResult[]): string[] {
  const largest = Object.keys(results.at(-1)!.bytes).slice(0, LARGEST_TABLES);
  return [
    ...tableLines([
      ['engine alone, tables and views', 'rows', 'rows/s', 'µs CPU a row', 'statements', 'merges'],
      ...results.map((result) => [
        result.name,
        figure(result.rows),
        figure(result.rowsPerSecond),
        figure(cpuOf(result)),
        figure(result.cpu.statements),
        figure(result.cpu.merges),
      ]),
    ]),
    ...tableLines([
      ['bytes a row', 'all tables', ...largest],
      ...results.map(({ name, bytes }) => [
        name,
        figure(Object.values(bytes).reduce((sum, table) => sum + table, 0)),
        ...largest.map((table) => figure(bytes[table] ?? 0)),
      ]),
    ]),
  ];
}

export function bulkRates(results: readonly BulkResult[]): Record<string, Rate> {
  return Object.fromEntries(
    results.map((result) => [
      result.name,
      { linesPerSecond: result.rowsPerSecond, cpuMicroseconds: cpuOf(result) },
    ]),
  );
}

const cpuOf = ({ cpu }: BulkResult) => cpu.statements + cpu.merges + cpu.upkeep + cpu.HTTP;
