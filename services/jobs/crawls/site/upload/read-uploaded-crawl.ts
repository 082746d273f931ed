import type { Crawl } from '../../../../../shared/control/domain/model.js';
import type { FileStore } from '../../../../../shared/files/file-store.js';
import { uploadFiles } from '../../../../../shared/files/upload-files.js';
import type { ClickHouseWriter } from '../../../../../shared/store/client.js';
import { UploadError } from './read-upload.js';
import { type StoredUpload, storeUpload } from './store-upload.js';

export type UploadOutcome =
  | { readonly outcome: 'ready'; readonly stored: StoredUpload }
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * One attempt at an uploaded crawl: it stores the files as rows. Repeating it stores the same rows.
 * @throws FileStoreError; as ClickHouseWriter.insert; the signal's reason. Another attempt follows
 */
export async function readUploadedCrawl(
  crawl: Pick<Crawl, 'id' | 'websiteId' | 'hasLinks' | 'createdAt'>,
  domain: string,
  { store, writer }: { readonly store: FileStore; readonly writer: ClickHouseWriter },
  signal: AbortSignal,
): Promise<UploadOutcome> {
  const { pages, links } = uploadFiles(crawl);
  try {
    const stored = await storeUpload(
      { websiteId: crawl.websiteId, crawlId: crawl.id, domain },
      { pages: () => store.open(pages), links: crawl.hasLinks ? () => store.open(links) : null },
      { writer, at: Date.parse(crawl.createdAt) },
      signal,
    );
    return { outcome: 'ready', stored };
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    return { outcome: 'failed', reason: `The upload cannot be read: ${error.message}.` };
  }
}
