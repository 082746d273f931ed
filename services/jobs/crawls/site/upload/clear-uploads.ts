import type { ControlPlane } from '../../../../../shared/control/control-plane.js';
import { isOpenCrawl } from '../../../../../shared/control/domain/state.js';
import { DAY_MS } from '../../../../../shared/durations.js';
import type { FileStore } from '../../../../../shared/files/file-store.js';
import { uploadsOf } from '../../../../../shared/files/upload-files.js';

/** An upload must be complete within it. */
const LONGEST_UPLOAD_MS = DAY_MS;

/** Cancels incomplete uploads and removes files of ended ones. @throws FileStoreError; the signal's reason */
export async function clearUploads(
  websiteId: string,
  { control, files }: { control: Pick<ControlPlane, 'state' | 'execute'>; files: FileStore },
  { now, signal }: { now: () => number; signal: AbortSignal },
): Promise<void> {
  for (const { id: crawlId, status, createdAt } of control.state().crawls.by('websiteId', websiteId))
    if (status === 'pending_upload' && now() - Date.parse(createdAt) > LONGEST_UPLOAD_MS)
      await control.execute({ type: 'cancelCrawl', websiteId, crawlId }, 'system');
  const uploads = uploadsOf(websiteId);
  for await (const { key } of files.list(uploads, { signal })) {
    const held = control.state().crawls.get(key.slice(uploads.length).split('/')[0]!);
    if (held === undefined || !isOpenCrawl(held)) await files.remove(key, { signal });
  }
}
