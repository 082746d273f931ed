import { percentOf } from '../../../../shared/reads/answer/figures.js';
import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import { fail, pass, unknown, warn } from '../facts/check.js';
import type { CrawlFacts } from '../facts/facts.js';
import { unlessProved } from '../facts/unproved-crawl.js';

/** Requests of search crawlers in the week. Below it, a share means little. */
const LEAST_CRAWL = 50;

interface ShareRule {
  readonly requests: number;
  /** `were answered with a server error` */
  readonly what: string;
  readonly why: string;
  /** The filter by which `/seo/requests` lists them: `status=404` */
  readonly which: string;
  readonly warnPct: number;
  /** Absent: the share is never a failure. */
  readonly failPct?: number;
}

/** Judges a share of the requests of search crawlers in the week. */
export function judgeShare(
  crawl: CrawlFacts,
  { requests, what, why, which, warnPct, failPct }: ShareRule,
): Judgement {
  const open = unlessProved(crawl);
  if (open !== null) return open;
  if (crawl.requests < LEAST_CRAWL)
    return unknown(`Search crawlers made fewer than ${LEAST_CRAWL} requests in seven days.`, {
      crawler_requests: crawl.requests,
    });
  // The link lists verified requests of the last seven days alone, as they are judged.
  const listedBy = `/seo/requests?${which}&bot_verified=true&hours=168`;
  const share = percentOf(requests, crawl.requests);
  const seen = { crawler_requests: crawl.requests, requests, share_pct: share, listed_by: listedBy };
  const reason = `${why} ${listedBy} lists them.`;
  const note = `${share} % of the requests of search crawlers in seven days ${what}.`;
  if (failPct !== undefined && share >= failPct) return fail(`${note} ${reason}`, seen);
  return share >= warnPct ? warn(`${note} ${reason}`, seen) : pass(note, seen);
}
