import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of a program's main thread, since the last look. */
export interface ThreadLosses {
  /** Garbage collections, and milliseconds that they stopped the thread. */
  readonly collecting: { readonly count: number; readonly ms: number };
  /** Milliseconds between two turns of the event loop, looked at each millisecond. */
  readonly pauses: { readonly p50: number; readonly p99: number; readonly max: number };
}

const PATIENCE_MS = 30_000;

/** Environment of a program that is to be watched. @param file where it tells; nobody else's. */
export function watchedEnvironment(file: string): Record<string, string> {
  const hook = new URL('./watch-thread.mjs', import.meta.url).href;
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hook}`.trim(),
    WATCH_THREAD_FILE: file,
  };
}

/** What the watched program lost since the last call, or since its start. @throws Error where it does not answer. */
export async function takeLosses(pid: number, file: string): Promise<ThreadLosses> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const deadline = Date.now() + PATIENCE_MS;
  while (!existsSync(file)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} does not tell what its thread lost`);
    await sleep(5);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ThreadLosses;
}
