import { readdirSync, readFileSync } from 'node:fs';

/** CPU that processes and their threads have used, from /proc (Linux), seconds. */

export interface Cpu {
  /** In the program's own code. */
  readonly user: number;
  /** In the kernel, on its behalf. */
  readonly system: number;
}

const TICKS_PER_SECOND = 100;

/** NaN where the process is gone. */
export function cpuOf(pid: number): Cpu {
  return parseCpu(read(`/proc/${pid}/stat`));
}

/** @param stat text of /proc/…/stat; the name in it may hold blanks and parentheses. */
export function parseCpu(stat: string): Cpu {
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return { user: Number(fields[11]) / TICKS_PER_SECOND, system: Number(fields[12]) / TICKS_PER_SECOND };
}

/** What a thread of the ClickHouse engine's process works for. */
export type EnginePart = 'statements' | 'merges' | 'upkeep' | 'HTTP';

const merging: ReadonlySet<string> = new Set(['MergeMutate', 'Move', 'Fetch', 'Common']);
const upkeep: ReadonlySet<string> = new Set([
  'PoolDelayExec',
  'MemoryWorker',
  'AsyncMetrics',
  'ConfigReloader',
]);

/** By the names that the engine gives its threads. A statement runs on the threads of a pool, whose names change. */
export function enginePartOf(threadName: string, isMain: boolean): EnginePart {
  if (isMain) return 'HTTP';
  if (merging.has(threadName)) return 'merges';
  return upkeep.has(threadName) || threadName.startsWith('Bg') ? 'upkeep' : 'statements';
}

export type EngineCpu = Record<EnginePart, number>;

/**
 * CPU of the engine by what it was for. Threads that have ended are counted to the statements: those of merges, of upkeep and
 * of HTTP live as long as the process.
 */
export function engineCpuOf(pid: number): EngineCpu {
  const { user, system } = cpuOf(pid);
  const parts: EngineCpu = { statements: 0, merges: 0, upkeep: 0, HTTP: 0 };
  for (const thread of threadsOf(pid)) {
    const name = read(`/proc/${pid}/task/${thread}/comm`).trim();
    // Nanoseconds; ticks of 10 ms would hide threads that run often and shortly.
    const nanoseconds = Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
    parts[enginePartOf(name, thread === String(pid))] += nanoseconds / 1e9;
  }
  const others = parts.merges + parts.upkeep + parts.HTTP;
  return { ...parts, statements: Math.max(0, user + system - others) };
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** '' for what has just gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
