import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the Numenta Anomaly Benchmark from a copy of its repository (github.com/numenta/NAB, MIT). */

export interface Series {
  /** `<folder>/<file>.csv` below data/ */
  readonly name: string;
  /** Milliseconds since the epoch; the corpus has no time zone, so UTC. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** First and last place of each labelled window. */
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

/** What a detector's published results say of each series: its scores, from 0 to 1. */
export function readPublished(folder: string, detector: string, corpus: readonly Series[]): number[][] {
  return corpus.map(({ name }) => {
    const [group, file] = name.split('/');
    return readRows(join(folder, 'results', detector, group!, `${detector}_${file}`)).map(([, , score]) =>
      Number(score),
    );
  });
}

/** Detectors whose results the folder has; without the null detector, whose every score is the same. */
export function publishedDetectors(folder: string): string[] {
  return readdirSync(join(folder, 'results'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'null')
    .map(({ name }) => name)
    .sort();
}

/** `detector → profile → score`, as NAB prints them. */
export function readFinalResults(folder: string): Record<string, Record<string, number>> {
  return JSON.parse(readFileSync(join(folder, 'results/final_results.json'), 'utf8'));
}
