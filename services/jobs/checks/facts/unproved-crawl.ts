import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import { unknown } from './check.js';
import type { CrawlFacts } from './facts.js';

/** Checks of verified search crawlers are unknown if most claims are undecided: the verified ones may be the smaller part. */

/** @returns null if enough claims are verified */
export function unlessProved({ basis, requests, undecided }: CrawlFacts): Judgement | null {
  const proved = basis === 'verified' ? requests : 0;
  const unproved = basis === 'verified' ? undecided : Math.max(undecided, requests);
  if (unproved <= proved) return null;
  return unknown(
    `${unproved} requests of seven days claim to be from a search crawler but are not verified; ${proved} are verified. Anyone can make such a claim. /readyz shows whether this installation can resolve names.`,
    { proved_requests: proved, unproved_requests: unproved, outcome: 'unconfirmed' },
  );
}
