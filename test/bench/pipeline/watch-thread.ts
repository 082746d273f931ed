import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lost time of a program's main thread, since the last look. */
export interface ThreadLosses {
  /** Garbage collections, and the milliseconds for which they stopped the thread. */
  readonly collecting: { readonly count: number; readonly ms: number };
  /** Milliseconds between two turns of the event loop, sampled each millisecond. */
  readonly pauses: { readonly p50: number; readonly p99: number; readonly max: number };
}

const PATIENCE_MS = 30_000;

/**
 * Environment of a watched program.
 * @param file its exclusive output file
 */
export function watchedEnvironment(file: string): Record<string, string> {
  const hook = new URL('./watch-thread.mjs', import.meta.url).href;
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hook}`.trim(),
    WATCH_THREAD_FILE: file,
  };
}

/**
 * The watched program's lost time since the last call, or since its start.
 * @throws Error if it does not answer
 */
export async function takeLosses(pid: number, file: string): Promise<ThreadLosses> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const deadline = Date.now() + PATIENCE_MS;
  while (!existsSync(file)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} does not report its thread's lost time`);
    await sleep(5);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ThreadLosses;
}
