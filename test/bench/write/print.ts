import type { Freshness } from '../pipeline/freshness.js';
import type { RateResult } from '../pipeline/measure-rate.js';
import { namedLine, tableLines } from '../print/table.js';
import { figure } from '../statistics.js';
import type { FullResult } from './full.js';
import type { LoadResult } from './measure-load.js';
import type { UploadSizeResult } from './upload-sizes.js';

export function fullLines({ full, half }: FullResult): string[] {
  const { rate, losses } = full;
  return [
    ...rateLines('whole way, full ingest', rate),
    namedLine('engine: statements, merges, µs a line', engineText(rate)),
    namedLine('garbage collection, µs a line (clock)', garbage(full)),
    namedLine(
      "pauses of the API's thread, ms",
      `p50 ${figure(losses.pauses.p50)}, p99 ${figure(losses.pauses.p99)}, longest ${figure(losses.pauses.max)}`,
    ),
    namedLine('freshness, full, ms', freshnessText(full.freshness)),
    namedLine('freshness, half, ms', freshnessText(half.freshness)),
    namedLine(
      '  at half: lines/s, µs CPU a line',
      `${figure(half.rate.linesPerSecond)}, ${figure(half.rate.cpuMicroseconds)}`,
    ),
    namedLine('  at half: statements, merges, µs a line', engineText(half.rate)),
  ];
}

/** The figures of any run over the whole write path. */
export function rateLines(
  name: string,
  { parts, cpu, memory, memoryTogether, ...rate }: RateResult,
): string[] {
  return [
    namedLine(`${name}, lines/s`, figure(rate.linesPerSecond)),
    namedLine(
      '  lines',
      `${figure(rate.lines)} in ${figure(rate.seconds)} s; refused uploads ${rate.refused}`,
    ),
    ...(parts.linesPerSecond.length === 0
      ? []
      : [
          namedLine(
            parts.seconds === 60 ? '  taken, by minute' : `  taken, by ${parts.seconds} s`,
            parts.linesPerSecond.map(figure).join(' '),
          ),
        ]),
    namedLine(
      'memory, MiB: own pages, mapped files',
      Object.entries(memory)
        .map(([process, { anonymous, file }]) => `${process} ${figure(anonymous)}, ${figure(file)}`)
        .join('; '),
    ),
    namedLine('  own pages together', figure(memoryTogether)),
    namedLine('CPU, µs a line', figure(rate.cpuMicroseconds)),
    ...Object.entries(cpu).map(([process, { user, system }]) =>
      namedLine(
        `  ${process}`,
        Number.isFinite(user)
          ? `${figure(user + system)}; kernel ${figure(system)} (${((100 * system) / (user + system)).toFixed(0)} %)`
          : 'not on this machine',
      ),
    ),
  ];
}

export function uploadSizeLines(results: readonly UploadSizeResult[]): string[] {
  const header = [
    'source, lines an upload',
    'lines/s',
    'µs CPU a line',
    'program',
    'engine',
    'p50 ms',
    'p99 ms',
    'MiB',
    'refused',
  ];
  return tableLines([header, ...results.map(uploadSizeRow)]);
}

function uploadSizeRow({ source, linesPerUpload, rate, freshness }: UploadSizeResult): string[] {
  const cpuOf = (process: string) =>
    figure((rate.cpu[process]?.user ?? 0) + (rate.cpu[process]?.system ?? 0));
  return [
    `${source}, ${linesPerUpload.toLocaleString('en-US')}`,
    figure(rate.linesPerSecond),
    figure(rate.cpuMicroseconds),
    cpuOf('program'),
    cpuOf('engine'),
    figure(freshness.p50),
    figure(freshness.p99),
    figure(rate.memoryTogether),
    String(rate.refused),
  ];
}

function garbage({ losses: { collecting }, rate }: LoadResult): string {
  return `${figure((1000 * collecting.ms) / rate.lines)}; ${collecting.count} of ${figure(collecting.ms / Math.max(1, collecting.count))} ms`;
}

const engineText = ({ engine }: RateResult) =>
  `${figure(engine.statements)}, ${figure(engine.merges)}; upkeep ${figure(engine.upkeep)}, HTTP ${figure(engine.HTTP)}`;

const freshnessText = ({ p50, p99, probes }: Freshness) =>
  `p50 ${figure(p50)}, p99 ${figure(p99)} of ${probes}`;
