import { countedAttempts, isOfAttempt } from '../../../shared/control/aggregates/attempts.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Crawl, CrawlCounts } from '../../../shared/control/domain/model.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { CrawlOf } from '../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { guardWrites } from '../runner/guard-writes.js';
import { readCrawlDelta } from './rows/crawl-delta.js';
import type { CrawlParts } from './site/finish-crawl.js';

/** Fetches the pages of a crawl and stores them. Called again with the same crawl it continues. Throws the signal's reason. */
export type FetchPages = (
  crawl: Crawl & { readonly domain: string },
  clickhouse: ClickHouse,
  signal: AbortSignal,
) => Promise<
  | { readonly outcome: 'ready'; readonly basis?: CrawlParts | undefined }
  | { readonly outcome: 'blocked' | 'failed'; readonly reason: string }
>;

/** Computes the results of the stored pages; it may be repeated. */
export type JudgePages = (
  crawl: CrawlOf,
  store: { readonly reader: ClickHouse; readonly writer: ClickHouse },
  basis?: CrawlParts,
) => Promise<CrawlCounts>;

export interface CrawlAttemptOptions {
  readonly control: Pick<ControlPlane, 'state' | 'execute'>;
  readonly clickhouse: ClickHouse;
  readonly fetchPages: FetchPages;
  readonly judgePages: JudgePages;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** `passed`: another process or user decided first. `left`: another replica continues it, or the crawl is over. */
export type CrawlAttemptOutcome =
  | 'ready'
  | 'failed'
  | 'blocked'
  | 'again'
  | 'decided_elsewhere'
  | 'left_to_replica';

export const MOST_CRAWL_ATTEMPTS = 3;
/** Longer than the time limit of a crawl, so only a crawl that hangs reaches it. */
const ATTEMPT_MS = 50 * HOUR_MS;
/** Before the second attempt; the wait before the third is five times as long. */
const FIRST_WAIT_MS = MINUTE_MS;
const WAIT_GROWTH = 5;
const LONGEST_REASON = 1_000;

const NOT_DONE = `Of ${MOST_CRAWL_ATTEMPTS} attempts none came to its end, through no fault of the website. Ask for a crawl again later.`;

/**
 * @returns a function that makes one attempt at a crawl. It stores its results before it records the end, and the record accepts only the newest attempt.
 * Throws the error that kept the log from recording a decision.
 */
export function createCrawlAttempt(options: CrawlAttemptOptions) {
  const { control, fetchPages, judgePages, now, logger } = options;

  async function execute(command: Parameters<ControlPlane['execute']>[0]): Promise<boolean> {
    return 'answer' in (await control.execute(command, 'system'));
  }

  async function end(
    { id: crawlId }: Crawl,
    attempt: number,
    outcome:
      | { status: 'ready'; counts: CrawlCounts; delta: Crawl['delta'] }
      | { status: 'failed' | 'blocked'; error: string },
  ): Promise<CrawlAttemptOutcome> {
    const done = await execute({ type: 'endCrawl', crawlId, attempt, outcome });
    return done ? outcome.status : 'decided_elsewhere';
  }

  async function work(held: Crawl, attempt: number, signal: AbortSignal): Promise<CrawlAttemptOutcome> {
    const website = control.state().websites.get(held.websiteId);
    if (website === undefined) return 'decided_elsewhere';
    const clickhouse = guardWrites(options.clickhouse, () => {
      signal.throwIfAborted();
      // Two attempts may number the pages differently, so rows of the earlier one must not mix with those of the newest.
      if (!isOfAttempt(control.state().crawls.get(held.id), attempt))
        throw new Error('another attempt continues the crawl');
    });
    const fetched = await fetchPages({ ...held, domain: website.domain }, clickhouse, signal);
    signal.throwIfAborted();
    if (fetched.outcome !== 'ready')
      return end(held, attempt, { status: fetched.outcome, error: fetched.reason.slice(0, LONGEST_REASON) });
    const crawl = { websiteId: held.websiteId, crawlId: held.id };
    const counts = await judgePages(crawl, { reader: clickhouse, writer: clickhouse }, fetched.basis);
    signal.throwIfAborted();
    const before = readyBefore(control.state().crawls.by('websiteId', held.websiteId), held);
    const delta = before && (await readCrawlDelta(clickhouse, crawl, before.id));
    signal.throwIfAborted();
    return end(held, attempt, { status: 'ready', counts, delta });
  }

  /** If the log does not accept the return, the attempt counts. For a cancelled crawl nothing is written. */
  async function giveBack(crawlId: string, attempt: number): Promise<void> {
    await execute({ type: 'returnCrawl', crawlId, attempt }).catch((error: unknown) =>
      logger.warn(
        { err: error, crawl: crawlId, attempt },
        'an interrupted attempt could not be returned, so it counts',
      ),
    );
  }

  async function afterFailure(held: Crawl, attempt: number): Promise<CrawlAttemptOutcome> {
    // An earlier attempt may have been returned since this one began.
    const current = control.state().crawls.get(held.id);
    const counted = current === undefined ? MOST_CRAWL_ATTEMPTS : countedAttempts(current);
    if (counted >= MOST_CRAWL_ATTEMPTS) return end(held, attempt, { status: 'failed', error: NOT_DONE });
    const retryAt = new Date(now() + FIRST_WAIT_MS * WAIT_GROWTH ** (counted - 1)).toISOString();
    const waits = await execute({ type: 'postponeCrawl', crawlId: held.id, attempt, retryAt });
    return waits ? 'again' : 'decided_elsewhere';
  }

  return async (held: Crawl, ended: AbortSignal): Promise<CrawlAttemptOutcome> => {
    // Each earlier attempt ended with its process.
    if (countedAttempts(held) >= MOST_CRAWL_ATTEMPTS)
      return end(held, held.attempts, { status: 'failed', error: NOT_DONE });
    const attempt = held.attempts + 1;
    if (!(await execute({ type: 'startCrawl', crawlId: held.id, attemptsBefore: held.attempts })))
      return 'decided_elsewhere';
    try {
      ended.throwIfAborted();
      return await work(held, attempt, AbortSignal.any([ended, AbortSignal.timeout(ATTEMPT_MS)]));
    } catch (error) {
      if (ended.aborted) {
        await giveBack(held.id, attempt);
        return 'left_to_replica';
      }
      logger.warn({ crawl: held.id, website: held.websiteId, attempt, err: error }, 'a crawl attempt failed');
      return afterFailure(held, attempt);
    }
  };
}

/** The newest ready crawl that was requested before this one; null: none. */
function readyBefore(crawls: readonly Crawl[], { id }: Crawl): Crawl | null {
  const earlier = crawls.slice(
    0,
    crawls.findIndex((each) => each.id === id),
  );
  return earlier.findLast(({ status }) => status === 'ready') ?? null;
}
