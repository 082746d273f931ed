import { open, rename } from 'node:fs/promises';

/**
 * Writes a file that only its owner may read. Readers see the old content or the new, never a part: it is
 * written beside, made durable and renamed. The mode is set before the first byte is there.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w', 0o600);
  try {
    // A file left by a crash keeps the mode it had.
    await file.chmod(0o600);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}
