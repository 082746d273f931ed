import { readFileSync } from 'node:fs';

/** The user agents of a file beside this one; lines that begin with # say where they come from. */
export function readAgents(file: string): string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
