import type { Export } from '../control/domain/model.js';
import { expiryOf } from '../control/exports/export.js';
import type { FileStore } from './file-store.js';

/** What lies beside each file of an export that the engine wrote, and tells of it. */
export const EXPORT_MANIFEST = 'manifest.json';

/** A report as a web page, beside its PDF. */
export const REPORT_HTML = 'report.html';

/** Where the file of a completed export is fetched until it expires; null where there is none. @throws FileStoreError */
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
