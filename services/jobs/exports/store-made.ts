import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ExportFile } from '../../../shared/control/domain/model.js';
import { type FileStore, FileStoreError } from '../../../shared/files/file-store.js';
import { ExportRefusedError, type MadeFiles } from '../export-makers/maker.js';

/** The prefix of all files of an export. Each attempt has its own folder, so an attempt that was presumed dead overwrites nothing. */
export function exportPrefix({ id, websiteId }: { readonly id: string; readonly websiteId: string }): string {
  return `${websiteId}/exports/${id}/`;
}

export interface StoreMadeOptions {
  readonly signal: AbortSignal;
  /** Called with the size of each chunk. */
  readonly onBytes: (bytes: number) => void;
  /** For the requested file. */
  readonly mostBytes: number;
}

/** Stores the made files, the requested one first. @throws errors of the bytes; ExportRefusedError if there are too many; FileStoreError */
export async function storeMade(
  store: FileStore,
  prefix: string,
  { rows, file, beside }: MadeFiles,
  { signal, onBytes, mostBytes }: StoreMadeOptions,
): Promise<ExportFile> {
  const digest = createHash('sha256');
  let bytes = 0;
  const watched = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > mostBytes) return done(new ExportRefusedError(tooLarge(mostBytes)));
      digest.update(piece);
      onBytes(piece.length);
      done(null, piece);
    },
  });
  const key = `${prefix}${file.name}`;
  file.bytes.once('error', (error) => watched.destroy(error));
  watched.once('close', () => file.bytes.destroy());
  await store.put(key, file.bytes.pipe(watched), { contentType: file.contentType, signal });
  // A disk or bucket may report success and have less.
  const stored = await store.stat(key);
  if (stored?.bytes !== bytes)
    throw new FileStoreError(`the store has ${stored?.bytes ?? 'none'} of ${bytes} bytes`);
  const sha256 = digest.digest('hex');
  for (const each of beside({ bytes, sha256 }))
    await store.put(`${prefix}${each.name}`, each.bytes, { contentType: each.contentType, signal });
  return { key, rows, bytes, sha256 };
}

function tooLarge(mostBytes: number): string {
  const gib = Number((mostBytes / 1024 ** 3).toPrecision(3));
  return `Its file has more than the ${gib} GiB that one export may have: narrow its window or its filters, or take parquet or a compression.`;
}
