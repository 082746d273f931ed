import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Resolves when everything that was written to the file system of the directory is on its disk. One call of the kernel
 * (syncfs(2)) for any number of files; Node has none of its own. Systems whose `sync` knows no single file system
 * sync all.
 * @throws Error where the disk does not take it, or there is no `sync`.
 */
export async function syncFileSystem(directory: string): Promise<void> {
  await run('sync', ['-f', directory]).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === 'ENOENT' || !/invalid|illegal|unrecognized|usage/i.test(error.stderr ?? ''))
      throw error;
    return run('sync');
  });
}
