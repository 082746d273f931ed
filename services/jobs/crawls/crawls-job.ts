import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { crawlIdTime } from '../../../shared/control/crawls/crawl-id.js';
import { crawlSettingsOf } from '../../../shared/control/crawls/crawl-settings.js';
import { isOpenCrawl } from '../../../shared/control/domain/state.js';
import { HOUR_MS } from '../../../shared/durations.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import type { JobDeps, JobWebsite } from '../runner/website-job.js';
import { readStoredCrawls, removeCrawlRows } from './rows/crawl-removal.js';
import { clearUploads } from './site/upload/clear-uploads.js';

const EVERY_MS = 6 * HOUR_MS;
/** This replica's state may be behind the replica that began a crawl. */
const NEW_MS = HOUR_MS;

export interface CrawlsJobParts {
  readonly control: Pick<ControlPlane, 'state' | 'execute'>;
  /** Whether this installation sends requests to websites. */
  readonly fetches: boolean;
  /** The store of uploads; null: this installation stores no files. */
  readonly files: FileStore | null;
}

/** Requests the weekly crawl of websites that have it, and deletes files of ended uploads and rows of unknown or unsuccessful crawls. */
export function crawlsJob({ control, fetches, files }: CrawlsJobParts) {
  /** Whether the rows of the crawl are needed. */
  function isNeeded(crawlId: string, now: number): boolean {
    const held = control.state().crawls.get(crawlId);
    if (held !== undefined) return isOpenCrawl(held) || held.status === 'ready';
    const at = crawlIdTime(crawlId);
    return at !== null && now - at < NEW_MS;
  }

  return {
    name: 'crawls',
    everyMs: EVERY_MS,
    waitsFor: 'store' as const,
    scheduledFor: 'all' as const,
    isFor: ({ id }: Pick<JobWebsite, 'id'>) =>
      crawlSettingsOf(control.state(), id).autoCrawl || control.state().crawls.by('websiteId', id).length > 0,
    async run(
      { id: websiteId }: Pick<JobWebsite, 'id'>,
      { clickhouse, now, signal, logger }: Pick<JobDeps, 'clickhouse' | 'now' | 'signal' | 'logger'>,
    ): Promise<void> {
      if (files !== null) await clearUploads(websiteId, { control, files }, { now, signal });
      for (const crawlId of await readStoredCrawls(clickhouse, websiteId)) {
        signal.throwIfAborted();
        if (isNeeded(crawlId, now())) continue;
        await removeCrawlRows(clickhouse, { websiteId, crawlId });
        logger.info({ website: websiteId, crawl: crawlId }, 'rows of an expired crawl were deleted');
      }
      if (!fetches || !crawlSettingsOf(control.state(), websiteId).autoCrawl) return;
      signal.throwIfAborted();
      // Refused if a crawl is open or was requested within the week, so the request of only one replica is accepted.
      const asked = await control.execute({ type: 'requestCrawl', websiteId, trigger: 'auto' }, 'system');
      if ('answer' in asked)
        logger.info({ website: websiteId, crawl: asked.answer.id }, 'the weekly crawl was requested');
    },
  };
}
