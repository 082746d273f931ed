import { readdirSync } from 'node:fs';
import { fieldsOfStat, readProc } from './proc.js';

/** Memory of a process and its descendants, bytes, from /proc (Linux). */
export interface ProcessMemory {
  /** Anonymous pages: heap, stacks, the engine's buffers. */
  readonly anonymous: number;
  /** Mapped files: program code and the event log's pages, which the kernel can reclaim. */
  readonly file: number;
}

export function memoryOfTree(root: number): ProcessMemory {
  let anonymous = 0;
  let file = 0;
  for (const pid of treeOf(root)) {
    const own = memoryOf(pid);
    anonymous += own.anonymous;
    file += own.file;
  }
  return { anonymous, file };
}

/** Memory of this process only; 0 if it has ended. */
export function memoryOf(pid: number): ProcessMemory {
  const status = readProc(`${pid}/status`);
  return {
    anonymous: field(status, 'RssAnon'),
    file: field(status, 'RssFile') + field(status, 'RssShmem'),
  };
}

/** The ClickHouse engine's process below the program; NaN if there is none. */
export function enginePid(root: number): number {
  const isEngine = (pid: number) => /loglane-clickhouse|engine-main/.test(readProc(`${pid}/cmdline`));
  return treeOf(root).find((pid) => pid !== root && isEngine(pid)) ?? Number.NaN;
}

/** The process and its descendants. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readProc(`${name}/stat`);
    if (stat !== '') parents.set(Number(name), Number(fieldsOfStat(stat)[1]));
  }
  const tree = [root];
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree;
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
}
