import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes from others than the owner what they may do with a folder and everything in it: it holds keys, addresses of
 * visitors and all logs. What an earlier release or another hand made may be open. Links are left alone, and so is what
 * goes away meanwhile.
 */
export async function makePrivate(directory: string): Promise<void> {
  await closeToOthers(directory);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makePrivate(path);
    else if (entry.isFile()) await closeToOthers(path);
  }
}

async function closeToOthers(path: string): Promise<void> {
  try {
    const { mode } = await lstat(path);
    if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
