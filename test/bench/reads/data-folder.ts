import { cp, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies a program's data. The engine never changes the files of a part, so they are hard links: 100 million rows are copied in seconds.
 * @param to a folder that does not exist, on the same file system
 */
export async function copyData(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const isPart = entries.some(({ name }) => name === 'checksums.txt');
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyData(source, target);
    else if (isPart) await link(source, target);
    else if (entry.isFile() || entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
  }
}
