import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the Numenta Anomaly Benchmark from a copy of its repository (github.com/numenta/NAB, MIT). */

export interface Series {
  /** `<folder>/<file>.csv` below data/ */
  readonly name: string;
  /** Milliseconds since the epoch; the corpus has no time zone, so UTC. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** First and last index of each labelled window. */
  readonly windows: readonly (readonly [first: number, last: number])[];
}

/** All 58 series, by name. */
export function readCorpus(folder: string): Series[] {
  const labels = JSON.parse(readFileSync(join(folder, 'labels/combined_windows.json'), 'utf8')) as Record<
    string,
    [string, string][]
  >;
  return Object.keys(labels)
    .sort()
    .map((name) => readSeries(join(folder, 'data', name), name, labels[name]!));
}

function readSeries(file: string, name: string, windows: readonly [string, string][]): Series {
  const rows = readRows(file);
  const stamps = rows.map(([stamp]) => stamp!);
  const placeOf = (stamp: string) => stamps.indexOf(stamp.slice(0, 'YYYY-MM-DD hh:mm:ss'.length));
  return {
    name,
    times: stamps.map((stamp) => Date.parse(`${stamp.replace(' ', 'T')}Z`)),
    values: rows.map(([, value]) => Number(value)),
    windows: windows.map(([first, last]) => [placeOf(first), placeOf(last)]),
  };
}

/** Without the heading. */
function readRows(file: string): string[][] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => line.trimEnd().split(','));
}
