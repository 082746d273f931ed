import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Resolves when all data of the directory's file system is on disk. It runs the program `sync`, since Node has no
 * syncfs(2), which syncs any number of files in one call. If `sync` can't select a file system, all are synced.
 * @throws Error if the disk fails, or there is no `sync`.
 */
export async function syncFileSystem(directory: string): Promise<void> {
  await run('sync', ['-f', directory]).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === 'ENOENT' || !/invalid|illegal|unrecognized|usage/i.test(error.stderr ?? ''))
      throw error;
    return run('sync');
  });
}
