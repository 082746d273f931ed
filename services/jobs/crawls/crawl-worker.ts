import type { Registry } from 'prom-client';
import type { Crawl } from '../../../shared/control/domain/model.js';
import { isOpenCrawl } from '../../../shared/control/domain/state.js';
import { SECOND_MS } from '../../../shared/durations.js';
import type { Assignment } from '../runner/assignments.js';
import { createOwnedWork } from '../runner/owned-work.js';
import { type CrawlAttemptOptions, createCrawlAttempt } from './attempt-crawl.js';
import { createCrawlMetrics } from './crawl-metrics.js';
import { chooseToLeave } from './next-crawls.js';
import { removeCrawlRows } from './rows/crawl-removal.js';

export interface CrawlWorkerOptions extends CrawlAttemptOptions {
  /** The assignment of the website's partition of `jobs`; undefined: another replica owns it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** Concurrent crawls of this replica. */
  readonly places: number;
  readonly registry: Registry;
}

export interface CrawlWorker {
  /** Looks for work now. */
  scan(): void;
  /** Ends running attempts; the next owner continues them. */
  stop(): Promise<void>;
}

const SCAN_MS = 2 * SECOND_MS;

/**
 * Carries out the crawls of the websites that this replica owns. The open crawls are in the control plane, and fetched pages are in ClickHouse, so the next
 * owner of a website continues after a kill.
 */
export function createCrawlWorker(options: CrawlWorkerOptions): CrawlWorker {
  const { control, clickhouse, assignmentOf, places, now, logger } = options;
  const organisationOf = ({ websiteId }: Crawl) =>
    control.state().websites.get(websiteId)?.organisationId ?? '';
  const attempt = createCrawlAttempt(options);
  const metrics = createCrawlMetrics(options.registry, () => ({
    running: work.running().length,
    waiting: work.ours().filter(({ id }) => !work.isRunning(id)).length,
  }));
  const work = createOwnedWork<Crawl>({
    places,
    organisationOf,
    assignmentOf,
    // Not while its files are still being uploaded.
    open: () =>
      control
        .state()
        .crawls.marked()
        .filter(({ status }) => status !== 'pending_upload'),
    isOpen(id) {
      const held = control.state().crawls.get(id);
      return held !== undefined && isOpenCrawl(held);
    },
    attempt: run,
    onFailure: ({ id }, error) =>
      logger.warn({ err: error, crawl: id }, 'a crawl attempt could not be recorded'),
    now,
  });

  /** The rows of an unsuccessful crawl are useless. The crawls job deletes rows that are left over (crawls-job.ts). */
  async function clear({ id: crawlId, websiteId }: Crawl): Promise<void> {
    const held = control.state().crawls.get(crawlId);
    if (held !== undefined && (isOpenCrawl(held) || held.status === 'ready')) return;
    await removeCrawlRows(clickhouse, { websiteId, crawlId });
  }

  async function run(held: Crawl, signal: AbortSignal): Promise<void> {
    const began = now();
    const outcome = await attempt(held, signal);
    metrics.ended.inc({ outcome });
    const about = { crawl: held.id, website: held.websiteId, outcome, ms: now() - began };
    logger.info(about, 'an attempt at a crawl ended');
    await clear(held);
  }

  /** Ends one crawl in favour of an organisation with fewer crawls under way. It continues when its turn comes. */
  function makePlace(): void {
    const all = work.running();
    if (all.length < places || all.some(({ giveUp }) => giveUp.signal.aborted)) return;
    const leaves = chooseToLeave(all, work.waiting(), { organisationOf, now: now() });
    leaves?.giveUp.abort(new Error('another organisation waits for its place'));
  }

  function scan(): void {
    work.endCancelled();
    makePlace();
    work.fill();
  }

  const timer = setInterval(scan, SCAN_MS);
  return {
    scan,
    async stop() {
      clearInterval(timer);
      await work.stop();
    },
  };
}
