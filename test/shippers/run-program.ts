import { type ChildProcess, spawn } from 'node:child_process';
import { endWithThisProcess } from '../harness/end-with-this-process.js';

/** A server or shipper as a process of the test, never the system's. */
export interface RunningProgram {
  /** Its output on both streams. */
  output(): string;
  stop(): Promise<void>;
}

export function runProgram(
  command: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child: ChildProcess = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  return {
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(force);
    },
  };
}
