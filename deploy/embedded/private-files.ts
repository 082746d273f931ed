import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A data folder, new or not, that belongs to its owner alone, with everything that this process writes from here on. */
export async function openPrivateFolder(directory: string): Promise<void> {
  process.umask(0o077);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await makePrivate(directory);
}

/**
 * Takes from others than the owner what they may do with a folder and everything in it: it holds keys, addresses of
 * visitors and all logs. What another hand made may be open. Links are left alone, and so is what
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
