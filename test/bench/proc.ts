import { readFileSync } from 'node:fs';

/** A file below /proc (Linux), as `<pid>/stat`; '' if the process has ended. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param stat text of /proc/<pid>/stat
 * @returns the fields after the name, which may contain blanks and parentheses; the first is the state
 */
export function fieldsOfStat(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
}
