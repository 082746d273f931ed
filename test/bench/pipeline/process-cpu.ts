import { readdirSync } from 'node:fs';
import { fieldsOfStat, readProc } from '../proc.js';

/** CPU seconds of processes and their threads, from /proc (Linux). */

export interface Cpu {
  /** In the program's own code. */
  readonly user: number;
  /** In the kernel, for the program. */
  readonly system: number;
}

const TICKS_PER_SECOND = 100;

/** NaN if the process has ended. */
export function cpuOf(pid: number): Cpu {
  return parseCpu(readProc(`${pid}/stat`));
}

/** User and system time together, seconds; NaN if the process has ended. */
export function cpuSecondsOf(pid: number): number {
  const { user, system } = cpuOf(pid);
  return user + system;
}

/** @param stat text of /proc/<pid>/stat */
export function parseCpu(stat: string): Cpu {
  const fields = fieldsOfStat(stat);
  return { user: Number(fields[11]) / TICKS_PER_SECOND, system: Number(fields[12]) / TICKS_PER_SECOND };
}

/** The purpose of a thread of the ClickHouse engine. */
export type EnginePart = 'statements' | 'merges' | 'upkeep' | 'HTTP';

const merging: ReadonlySet<string> = new Set(['MergeMutate', 'Move', 'Fetch', 'Common']);
const upkeep: ReadonlySet<string> = new Set([
  'PoolDelayExec',
  'MemoryWorker',
  'AsyncMetrics',
  'ConfigReloader',
]);

/** Uses the names of the engine's threads. A statement runs on threads of a pool, whose names change. */
export function enginePartOf(threadName: string, isMain: boolean): EnginePart {
  if (isMain) return 'HTTP';
  if (merging.has(threadName)) return 'merges';
  return upkeep.has(threadName) || threadName.startsWith('Bg') ? 'upkeep' : 'statements';
}

export type EngineCpu = Record<EnginePart, number>;

/**
 * CPU of the engine by purpose. Threads that have ended count as statements: those of merges, of upkeep and
 * of HTTP live as long as the process.
 */
export function engineCpuOf(pid: number): EngineCpu {
  const { user, system } = cpuOf(pid);
  const parts: EngineCpu = { statements: 0, merges: 0, upkeep: 0, HTTP: 0 };
  for (const thread of threadsOf(pid)) {
    const name = readProc(`${pid}/task/${thread}/comm`).trim();
    // Nanoseconds; ticks of 10 ms would hide threads with frequent short runs.
    const nanoseconds = Number(readProc(`${pid}/task/${thread}/schedstat`).split(' ')[0]);
    parts[enginePartOf(name, thread === String(pid))] += nanoseconds / 1e9;
  }
  const others = parts.merges + parts.upkeep + parts.HTTP;
  return { ...parts, statements: Math.max(0, user + system - others) };
}

/** The engine's CPU between two looks, in µs per row or line. */
export function engineCostsOf(after: EngineCpu, before: EngineCpu, count: number): EngineCpu {
  const part = (name: EnginePart) => (1e6 * (after[name] - before[name])) / Math.max(1, count);
  return {
    statements: part('statements'),
    merges: part('merges'),
    upkeep: part('upkeep'),
    HTTP: part('HTTP'),
  };
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
