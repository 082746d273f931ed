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
    `${title}; by call: statements, rows read, engine CPU ms, program CPU ms; calls/s; p50/p95, longest pause ms`,
    ...tableLines([
      ['', ...ways],
      ...reads.map(([read, members]) => [
        read,
        ...ways.map((way) => cellOf(members.find((result) => wayOf(result) === way))),
      ]),
    ]),
  ];
}

const wayOf = ({ mode, connections }: ReadResult) =>
  connections === null ? mode : `${mode} × ${connections}`;

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
  const times = `${figure(p50)}/${figure(p95)}, ${Math.round(result.longestPauseMs)}`;
  return `${costs.join(' ')}; ${callsPerSecond.toFixed(1)}/s; ${times}${broken}`;
}

/**
 * CPU of engine and program together by call, with the first number of connections, as multiples within the run: each size's of the
 * first size, and each mode's of the cold one.
 * @param sizes results by the name of the table's size
 */
export function readRatioLines(sizes: Readonly<Record<string, readonly ReadResult[]>>): string[] {
  const names = Object.keys(sizes);
  const [first] = names;
  if (first === undefined) return [];
  const connections = sizes[first]![0]?.connections;
  const costsOf = (name: string) =>
    new Map(
      sizes[name]!.filter((result) => [connections, null].includes(result.connections)).map((result) => [
        keyOf(result),
        result.engineCpuMs + result.programCpuMs,
      ]),
    );
  const costs = new Map(names.map((name) => [name, costsOf(name)]));
  const reads = [...new Set(sizes[first]!.map(nameOf))];
  const modes = ['cold', 'rolling', 'warm'] as const;
  const ratio = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined || other === 0 ? '' : `× ${(one / other).toFixed(2)}`;
  const costOf = (size: string, read: string, mode: string) => costs.get(size)!.get(`${read} ${mode}`);
  return [
    `CPU of engine and program by call, ms; in brackets: multiple of the cost at ${first}`,
    ...tableLines([
      [
        '',
        ...names.flatMap((size) => modes.map((mode) => `${size} ${mode}`)),
        'rolling of cold',
        'warm of cold',
      ],
      ...reads.map((read) => [
        read,
        ...names.flatMap((size) =>
          modes.map((mode) => {
            const cost = costOf(size, read, mode);
            if (cost === undefined) return '';
            const multiple = size === first ? '' : ` (${ratio(cost, costOf(first, read, mode))})`;
            return `${cost.toFixed(1)}${multiple}`;
          }),
        ),
        ...(['rolling', 'warm'] as const).map((mode) =>
          ratio(costOf(first, read, mode), costOf(first, read, 'cold')),
        ),
      ]),
    ]),
  ];
}

const nameOf = ({ read, hours }: ReadResult) => (hours === null ? read : `${read}, ${hours} h`);
const keyOf = (result: ReadResult) => `${nameOf(result)} ${result.mode}`;

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
