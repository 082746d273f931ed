import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import { unknown } from './check.js';
import type { CrawlFacts } from './facts.js';

/** What rests on proved search crawlers is unknown where most claims to be one are open: proved ones may be the smaller part. */

/** @returns null where enough is proved. */
export function unlessProved({ basis, requests, undecided }: CrawlFacts): Judgement | null {
  const proved = basis === 'verified' ? requests : 0;
  const unproved = basis === 'verified' ? undecided : Math.max(undecided, requests);
  if (unproved <= proved) return null;
  return unknown(
    `${unproved} requests of seven days claim to be of a search crawler and are not proved, and ${proved} are proved. Anyone can make such a claim. /readyz says whether this installation can resolve names.`,
    { proved_requests: proved, unproved_requests: unproved, outcome: 'unconfirmed' },
  );
}
