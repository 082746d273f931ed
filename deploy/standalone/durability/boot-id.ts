import { readFile } from 'node:fs/promises';

/** The kernel's boot id (random(4)); null if there is none, as outside Linux. */
export function readBootId(): Promise<string | null> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );
}
