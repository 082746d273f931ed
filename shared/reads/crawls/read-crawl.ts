import { crawlsOf, latestReadyCrawl } from '../../control/crawls/latest-crawl.js';
import type { Crawl } from '../../control/domain/model.js';
import type { ControlState } from '../../control/domain/state.js';
import { PublicError } from '../../errors.js';

/** Fields of the crawl that an answer is based on. */
export interface ReadCrawl {
  readonly crawlId: string;
  readonly source: Crawl['source'];
  readonly urlCount: number;
  readonly completedAt: string | null;
}

/**
 * The crawl that an answer is based on: the requested one, or the latest ready one; null: none.
 * @throws PublicError not_found for a crawl that the website does not have, conflict for one that is not ready.
 */
export function readCrawl(
  state: Pick<ControlState, 'crawls'>,
  websiteId: string,
  crawlId: string | undefined,
): ReadCrawl | null {
  if (crawlId === undefined) {
    const latest = latestReadyCrawl(state, websiteId);
    return latest === null ? null : toReadCrawl(latest);
  }
  const found = crawlsOf(state, websiteId).find(({ id }) => id === crawlId);
  if (found === undefined) throw new PublicError('not_found', 'crawl_id: the website has no such crawl');
  if (found.status !== 'ready')
    throw new PublicError(
      'conflict',
      `crawl_id: the crawl is ${found.status}; only a ready crawl has results`,
    );
  return toReadCrawl(found);
}

function toReadCrawl({ id, source, counts, completedAt }: Crawl): ReadCrawl {
  return { crawlId: id, source, urlCount: counts?.urlCount ?? 0, completedAt };
}
