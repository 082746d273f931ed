import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** nginx combined with request time and host, as the demo writes it. */
const FORMAT = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u" %T "%v"';

/** GoAccess over the same file, HTML out. @returns lines a second; null where it is not installed. */
export async function measureGoAccess(file: string, lines: number, folder: string): Promise<number | null> {
  const report = join(folder, 'goaccess.html');
  const started = performance.now();
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(
      'goaccess',
      [
        file,
        `--log-format=${FORMAT}`,
        '--date-format=%d/%b/%Y',
        '--time-format=%H:%M:%S',
        '--no-progress',
        '-o',
        report,
      ],
      { stdio: 'ignore' },
    );
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  const seconds = (performance.now() - started) / 1000;
  await rm(report, { force: true });
  if (code === null) return null;
  if (code !== 0) throw new Error(`goaccess ended with ${code}`);
  return lines / seconds;
}
