import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built command line, beside this file in `dist`. */
const COMMAND_LINE = fileURLToPath(new URL('../cli/loglane.mjs', import.meta.url));
/** An error message is the last line; the rest is not kept. */
const MAX_LINE = 1_000;

/**
 * Runs `loglane demo` in a process of its own, so that making the traffic takes no time from the services.
 * @returns null: there is no built command line.
 */
export function demoLoader(
  credentials: string,
  stopping: AbortSignal,
): ((percent: (sent: number) => void) => Promise<void>) | null {
  if (!existsSync(COMMAND_LINE)) return null;
  return (percent) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [COMMAND_LINE, 'demo', '--credentials', credentials], {
        stdio: ['ignore', 'pipe', 'pipe'],
        signal: stopping,
      });
      let lastError = '';
      createInterface({ input: child.stdout }).on('line', (line) => {
        const sent = /^(\d{1,3}) % sent/.exec(line)?.[1];
        if (sent !== undefined) percent(Number(sent));
      });
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (line !== '') lastError = line.slice(0, MAX_LINE);
      });
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(lastError || `the demo ended with exit code ${code}`)),
      );
    });
}
