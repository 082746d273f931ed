import type { Registry } from 'prom-client';
import type { Crawl } from '../../../shared/control/model.js';
import { isOpenCrawl } from '../../../shared/control/state.js';
import { SECOND_MS } from '../../../shared/durations.js';
import { removeCrawlRows } from '../../../shared/queries/crawl-removal.js';
import type { Assignment } from '../runner/assignments.js';
import { type CrawlAttemptOptions, createCrawlAttempt } from './attempt-crawl.js';
import { createCrawlMetrics } from './metrics.js';
import { chooseToLeave, createCrawlTurns, type PlacedCrawl } from './next-crawls.js';

export interface CrawlWorkerOptions extends CrawlAttemptOptions {
  /** Of the website's partition of `jobs`; undefined where another replica has it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** Crawls that this replica has under way at once. */
  readonly places: number;
  readonly registry: Registry;
}

export interface CrawlWorker {
  /** Looks for what is to be done, now. */
  scan(): void;
  /** Ends what is under way: its next owner goes on with it. */
  stop(): Promise<void>;
}

const SCAN_MS = 2 * SECOND_MS;

interface Running extends PlacedCrawl {
  readonly giveUp: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Carries out the crawls of the websites that this replica owns. What there is to do stands in the control plane, and what was fetched in ClickHouse, so that
 * whoever owns a website goes on where another was killed.
 */
export function createCrawlWorker(options: CrawlWorkerOptions): CrawlWorker {
  const { control, clickhouse, assignmentOf, now, logger } = options;
  const running = new Map<string, Running>();
  const organisationOf = (id: string) => control.state().websites.get(id)?.organisationId ?? '';
  const choose = createCrawlTurns(options.places, organisationOf);
  const attempt = createCrawlAttempt(options);
  const isOurs = ({ websiteId }: Crawl) => {
    const assignment = assignmentOf(websiteId);
    return assignment?.isReady === true && !assignment.leaving.signal.aborted;
  };
  const ours = () => control.state().crawls.marked().filter(isOurs);
  const metrics = createCrawlMetrics(options.registry, () => ({
    running: running.size,
    waiting: ours().filter(({ id }) => !running.has(id)).length,
  }));
  let isStopped = false;

  /** Nobody reads the rows of a crawl that came to nothing. What is left over the crawls job deletes (crawls-job.ts). */
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

  function begin(held: Crawl): void {
    const giveUp = new AbortController();
    const { signal } = assignmentOf(held.websiteId)!.leaving;
    const leave = () => giveUp.abort(new Error('the website is left to another replica'));
    signal.addEventListener('abort', leave, { once: true });
    const ended = run(held, giveUp.signal)
      .catch((error: unknown) => logger.warn({ err: error, crawl: held.id }, 'a crawl waits'))
      .finally(() => {
        signal.removeEventListener('abort', leave);
        running.delete(held.id);
      });
    running.set(held.id, { held, beganAt: now(), giveUp, ended });
  }

  const waiting = () => ours().filter((crawl) => !running.has(crawl.id) && mayBegin(crawl, now()));

  function fill(): void {
    const held = [...running.values()].map((one) => one.held);
    for (const next of choose(waiting(), held)) begin(next);
  }

  /** One crawl leaves its place to an organisation that has fewer under way, and goes on when it is its turn again. */
  function makePlace(): void {
    const all = [...running.values()];
    if (all.length < options.places || all.some(({ giveUp }) => giveUp.signal.aborted)) return;
    const leaves = chooseToLeave(all, waiting(), { organisationOf, now: now() });
    leaves?.giveUp.abort(new Error('another organisation waits for its place'));
  }

  /** Cancelled ones end where they run, as do those of a website that was erased. */
  function endCancelled(): void {
    for (const { held, giveUp } of running.values()) {
      const now = control.state().crawls.get(held.id);
      if (now === undefined || !isOpenCrawl(now)) giveUp.abort(new Error('the crawl was cancelled'));
    }
  }

  function scan(): void {
    if (isStopped) return;
    endCancelled();
    makePlace();
    fill();
  }

  const timer = setInterval(scan, SCAN_MS);
  return {
    scan,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      for (const { giveUp } of running.values()) giveUp.abort(new Error('the process ends'));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Not while its files are still on their way, and not before the time of its next attempt. */
function mayBegin({ status, notBefore }: Crawl, now: number): boolean {
  return status !== 'pending_upload' && (notBefore === null || Date.parse(notBefore) <= now);
}
