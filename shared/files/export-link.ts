import type { Export } from '../control/domain/model.js';
import { expiryOf } from '../control/exports/export.js';
import type { FileStore } from './file-store.js';

/** Describes an export that the engine wrote. Stored in the folder of its files. */
export const EXPORT_MANIFEST = 'manifest.json';

/** A report as a web page, in the folder of its PDF. */
export const REPORT_HTML = 'report.html';

/**
 * Download link of a completed export's file, valid until the export expires; null if it has no file. @throws
 * FileStoreError
 */
export async function linkOfExport(
  store: Pick<FileStore, 'link'>,
  { file, completedAt }: Pick<Export, 'file' | 'completedAt'>,
  name: string | null = null,
): Promise<string | null> {
  if (file === null) return null;
  const cut = file.key.lastIndexOf('/') + 1;
  const own = name ?? file.key.slice(cut);
  return store.link(`${file.key.slice(0, cut)}${own}`, { expiresAt: expiryOf({ completedAt })!, name: own });
}
