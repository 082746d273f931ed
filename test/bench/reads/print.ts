import { figure } from '../statistics.js';
import type { ReadResult } from './run.js';

/** One table for each load and window: a line for each read, a group of columns for each way of asking. */
export function printReads(title: string, results: readonly ReadResult[]): void {
  const groups = grouped(results, ({ load, hours }) => `${load}, ${hours === null ? 'own' : `${hours} h`}`);
  for (const [group, members] of groups) printGroup(`${title}, ${group}`, members);
}

function printGroup(title: string, results: readonly ReadResult[]): void {
  const ways = [...new Set(results.map(wayOf))];
  console.log(
    `\n${title}; by call: statements, rows read, engine CPU ms, program CPU ms; calls/s; p50/p95 ms`,
  );
  console.log(`${''.padEnd(20)}${ways.map((way) => way.padStart(WIDTH)).join('')}`);
  for (const [read, members] of grouped(results, (result) => result.read)) {
    const cells = ways.map((way) => cellOf(members.find((result) => wayOf(result) === way)).padStart(WIDTH));
    console.log(`${read.padEnd(20)}${cells.join('')}`);
  }
}

const WIDTH = 48;
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
