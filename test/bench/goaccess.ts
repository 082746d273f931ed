import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** nginx combined with request time and host, in the demo's form. */
const FORMAT = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u" %T host=%v';

export interface GoAccessResult {
  readonly linesPerSecond: number;
  /** µs a line. */
  readonly cpuMicroseconds: number;
}

/**
 * GoAccess over the same file, HTML out.
 * @returns null if it is not installed
 */
export async function measureGoAccess(
  file: string,
  lines: number,
  folder: string,
): Promise<GoAccessResult | null> {
  const words = [
    file,
    `--log-format=${FORMAT}`,
    '--date-format=%d/%b/%Y',
    '--time-format=%H:%M:%S',
    '--no-progress',
    '-o',
    join(folder, 'goaccess.html'),
  ];
  const started = performance.now();
  // The shell reports its children's CPU; Node does not.
  const { code, output } = await run('sh', [
    '-c',
    'goaccess "$@" >/dev/null 2>&1; code=$?; times; exit $code',
    'sh',
    ...words,
  ]);
  const seconds = (performance.now() - started) / 1000;
  if (code === NOT_FOUND) return null;
  if (code !== 0) throw new Error(`goaccess ended with ${code}`);
  return { linesPerSecond: lines / seconds, cpuMicroseconds: (1e6 * childrenSeconds(output)) / lines };
}

/** A shell's code for a missing command. */
const NOT_FOUND = 127;

/**
 * CPU of a shell's children, user and kernel time.
 * @param times output of its `times`: a line for itself and a line for them, each as `0m1.234s 0m0.567s`
 */
export function childrenSeconds(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

function run(command: string, words: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
