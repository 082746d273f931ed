import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, sumOfSamples } from '../pipeline/metrics.js';
import { cpuSecondsOf } from '../pipeline/process-cpu.js';
import { rowsStored } from '../pipeline/rows-stored.js';

/** The processes that answer reads. */
export interface ReadTarget {
  /** One for each API, which get the calls alternately. */
  readonly apis: readonly { readonly url: string; readonly metricsUrl: string; readonly pid: number }[];
  readonly enginePid: number;
  /** Services whose /metrics report the stored rows. */
  readonly enricherUrls: readonly string[];
}

/** Sums since the processes' start. */
export interface Costs {
  readonly engineMs: number;
  /** CPU of the APIs' processes, with all their other work. */
  readonly programMs: number;
  readonly statements: number;
  readonly rowsRead: number;
  readonly rowsStored: number;
}

/** CPU of a stored row, milliseconds. */
export interface RowCosts {
  readonly engineMs: number;
  readonly programMs: number;
}

export const noRows: RowCosts = { engineMs: 0, programMs: 0 };

export async function costsNow(target: ReadTarget): Promise<Costs> {
  const { apis, enginePid } = target;
  const metrics = await Promise.all(apis.map(({ metricsUrl }) => readMetrics(metricsUrl)));
  const sumOf = (name: string) => metrics.reduce((sum, text) => sum + sumOfSamples(text, name), 0);
  return {
    engineMs: cpuSecondsOf(enginePid) * 1000,
    programMs: apis.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0) * 1000,
    statements: sumOf('loglane_read_statements_total'),
    rowsRead: sumOf('loglane_read_rows_total'),
    rowsStored: await rowsStored(target),
  };
}

/** Measures the CPU of a stored row while no reads are made. */
export async function measureRowCosts(target: ReadTarget, seconds: number): Promise<RowCosts> {
  const before = await costsNow(target);
  await sleep(seconds * 1000);
  const after = await costsNow(target);
  const rows = Math.max(1, after.rowsStored - before.rowsStored);
  return {
    engineMs: (after.engineMs - before.engineMs) / rows,
    programMs: (after.programMs - before.programMs) / rows,
  };
}

/** The difference, without the CPU of the rows that were stored meanwhile. */
export function costsOfCalls(before: Costs, after: Costs, ofRow: RowCosts): Omit<Costs, 'rowsStored'> {
  const rows = after.rowsStored - before.rowsStored;
  return {
    engineMs: after.engineMs - before.engineMs - rows * ofRow.engineMs,
    programMs: after.programMs - before.programMs - rows * ofRow.programMs,
    statements: after.statements - before.statements,
    rowsRead: after.rowsRead - before.rowsRead,
  };
}
