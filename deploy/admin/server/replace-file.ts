import { open, rename } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read. Readers see the old or the new content, never a part: the file is
 * written under another name, synced and renamed. The mode is set before the first byte is written.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w', 0o600);
  try {
    // A file left by a crash has its old mode.
    await file.chmod(0o600);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}
