import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { pause } from '../../../shared/pacing/pause.js';
import type { Service } from '../../../shared/service/service.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { FetchPages } from './attempt-crawl.js';
import { type CrawlWorkerOptions, createCrawlWorker } from './crawl-worker.js';
import { crawlSite } from './site/crawl-site.js';
import { type FetchSession, openFetchSession } from './site/fetch-session.js';
import { finishCrawl } from './site/finish-crawl.js';
import { createChromiumRenderer } from './site/render/chromium-renderer.js';
import type { CrawlParts } from './site/site-crawl.js';
import { readUploadedCrawl } from './site/upload/read-uploaded-crawl.js';

export interface CrawlsParts extends Pick<CrawlWorkerOptions, 'assignmentOf'> {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** The store of uploads; null: this installation stores no files. */
  readonly files: FileStore | null;
  /** Opens the connections of one crawl; default: guarded ones. */
  readonly openFetchSession?: (() => FetchSession) | undefined;
}

/** Starts crawls in this process. */
export function openCrawls(
  { config, now, logger, registry, onStop }: Service,
  { clickhouse, control, assignmentOf, files, ...parts }: CrawlsParts,
): void {
  const openSession =
    parts.openFetchSession ?? (() => openFetchSession({ userAgent: config.CRAWLER_USER_AGENT }));
  const fetchPages: FetchPages = async (crawl, store, signal) => {
    if (crawl.source === 'upload') return readUpload(crawl, files, store, signal);
    if (!config.FETCH_WEBSITES) return { outcome: 'failed', reason: FETCHES_NOTHING };
    if (crawl.renderJs && config.CRAWLER_BROWSER === undefined)
      return { outcome: 'failed', reason: RENDERS_NOTHING };
    return crawlSite(
      { ...crawl, crawlId: crawl.id },
      {
        ...{ openFetchSession: openSession, reader: store, writer: store, now, pause: pauseOrThrow, logger },
        requestsPerSecond: config.CRAWL_REQUESTS_PER_SECOND,
        openRenderer: rendererOf(config, logger),
      },
      signal,
      () => {},
    );
  };
  const worker = createCrawlWorker({
    ...{ control, clickhouse, fetchPages, judgePages: finishCrawl, assignmentOf },
    places: config.CRAWLS_AT_ONCE,
    ...{ now, logger, registry },
  });
  onStop(() => worker.stop());
}

async function readUpload(
  crawl: Parameters<FetchPages>[0],
  files: FileStore | null,
  writer: ClickHouse,
  signal: AbortSignal,
): ReturnType<FetchPages> {
  if (files === null) return { outcome: 'failed', reason: STORES_NOTHING };
  const read = await readUploadedCrawl(crawl, crawl.domain, { store: files, writer }, signal);
  if (read.outcome === 'failed') return read;
  const { ranks, withoutData } = read.stored;
  return { outcome: 'ready', basis: { ranks: ranks === 'links' ? 'from_links' : 'as_stored', withoutData } };
}

/** undefined: none is configured. */
function rendererOf(config: Service['config'], logger: Service['logger']): CrawlParts['openRenderer'] {
  const { CRAWLER_BROWSER: executable, CRAWLER_BROWSER_SANDBOX: sandbox } = config;
  if (executable === undefined) return undefined;
  return (load) => createChromiumRenderer({ executable, sandbox, load, logger });
}

const RENDERS_NOTHING =
  'Scripts of pages are to run, and this installation has no browser: its operator sets CRAWLER_BROWSER, or `crawl settings --no-render-js`.';
const STORES_NOTHING = 'This installation stores no files: its operator sets FILES_DIR, or S3_BUCKET.';
const FETCHES_NOTHING =
  'This installation fetches nothing from websites: its operator has set FETCH_WEBSITES to false.';

/** @throws the signal's reason when the signal fires */
async function pauseOrThrow(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
