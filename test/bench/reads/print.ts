import { tableLines } from '../print/table.js';
import { figure } from '../statistics.js';
import type { ReadResult } from './run.js';

/**
 * One table for each load and window, with a line for each read and a group of columns for each mode and
 * number of connections.
 */
export function readLines(title: string, results: readonly ReadResult[]): string[] {
  const groups = grouped(results, ({ load, hours }) => `${load}, ${hours === null ? 'own' : `${hours} h`}`);
  return [...groups].flatMap(([group, members]) => groupLines(`${title}, ${group}`, members));
}

function groupLines(title: string, results: readonly ReadResult[]): string[] {
  const ways = [...new Set(results.map(wayOf))];
  const reads = [...grouped(results, (result) => result.read)];
  return [
    `${title}; by call: statements, rows read, engine CPU ms, program CPU ms; calls/s; p50/p95 ms`,
    ...tableLines([
      ['', ...ways],
      ...reads.map(([read, members]) => [
        read,
        ...ways.map((way) => cellOf(members.find((result) => wayOf(result) === way))),
      ]),
    ]),
  ];
}

const wayOf = ({ mode, connections }: ReadResult) => `${mode} × ${connections}`;

function cellOf(result: ReadResult | undefined): string {
  if (result === undefined) return '';
  const { statements, rowsRead, engineCpuMs, programCpuMs, callsPerSecond, p50, p95, failed } = result;
  const costs = [
    statements.toFixed(1),
    Math.round(rowsRead),
    engineCpuMs.toFixed(1),
    programCpuMs.toFixed(1),
  ];
  const broken = failed > 0 ? ` ${failed} failed` : '';
  return `${costs.join(' ')}; ${callsPerSecond.toFixed(1)}/s; ${figure(p50)}/${figure(p95)}${broken}`;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
