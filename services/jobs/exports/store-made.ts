import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ExportFile } from '../../../shared/control/model.js';
import { type FileStore, FileStoreError } from '../../../shared/files/file-store.js';
import type { MadeFiles } from './maker.js';

/** Everything of an export lies below it. Attempts have a folder each, so that one that was taken for dead overwrites nothing. */
export function exportPrefix({ id, websiteId }: { readonly id: string; readonly websiteId: string }): string {
  return `${websiteId}/exports/${id}/`;
}

/** Stores what was made, the file first. @param onBytes told of each piece. @throws what the bytes throw; FileStoreError */
export async function storeMade(
  store: FileStore,
  prefix: string,
  { rows, file, beside }: MadeFiles,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<ExportFile> {
  const digest = createHash('sha256');
  let bytes = 0;
  const watched = new Transform({
    transform(piece: Buffer, _encoding, done) {
      digest.update(piece);
      bytes += piece.length;
      onBytes(piece.length);
      done(null, piece);
    },
  });
  const key = `${prefix}${file.name}`;
  file.bytes.once('error', (error) => watched.destroy(error));
  watched.once('close', () => file.bytes.destroy());
  await store.put(key, file.bytes.pipe(watched), { contentType: file.contentType, signal });
  // A disk or a bucket may say that it took all and have less.
  const stored = await store.stat(key);
  if (stored?.bytes !== bytes)
    throw new FileStoreError(`of ${bytes} bytes the store has ${stored?.bytes ?? 'none'}`);
  const sha256 = digest.digest('hex');
  for (const each of beside({ bytes, sha256 }))
    await store.put(`${prefix}${each.name}`, each.bytes, { contentType: each.contentType, signal });
  return { key, rows, bytes, sha256 };
}
