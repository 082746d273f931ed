import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Opens or creates a data folder that only its owner can access. The same applies to all later files of this process. */
export async function openPrivateFolder(directory: string): Promise<void> {
  process.umask(0o077);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await makePrivate(directory);
}

/**
 * Removes the access of other users to a folder and all its files, since it contains keys, addresses of visitors and
 * all logs. Files from other programs may be open to others. Links and files that disappear meanwhile are skipped.
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
