import { summariseClaims } from '../answer/verification-counts.js';

/** Classifies a bot's access to the website (spec §3.9) by the statuses of its requests. */

export const accessClasses = ['served', 'rejected', 'mixed', 'none'] as const;
export const rejectedGroups = ['impersonators_only', 'verified_only', 'both', 'unverifiable'] as const;
export const realCrawlerWords = [
  'let_in',
  'limited',
  'shut_out',
  'inverted',
  'charged',
  'unanswered',
  'unproved',
  'absent',
] as const;
export type RealCrawler = (typeof realCrawlerWords)[number];

/** Percentages of turned-away requests from which a crawler is limited and shut out. */
export const LIMITED_PCT = 10;
export const SHUT_OUT_PCT = 90;

/** Requests by status: served (2xx, 3xx), rejected (401, 403, 429, 451), charged (402). Other statuses are in none of these. */
export interface Answered {
  /** Requests with any status. */
  readonly requests: number;
  readonly served: number;
  readonly rejected: number;
  readonly charged: number;
}

/** Requests under one name, by the verification of their claim. */
export interface AnsweredClaims {
  readonly verified: Answered;
  /** Pending, or not verifiable. */
  readonly unproved: Answered;
  readonly spoofed: Answered;
}

/**
 * served: 2xx/3xx and no rejection; rejected: the reverse; mixed: both; none: neither (402, other 4xx, 5xx, no answer). The verified
 * requests decide. Without any, the unproved requests decide. If only impostors came, their requests decide.
 */
export function classifyAccess({
  verified,
  unproved,
  spoofed,
}: AnsweredClaims): (typeof accessClasses)[number] {
  const judged = [verified, unproved].find(({ requests }) => requests > 0) ?? spoofed;
  if (judged.served > 0) return judged.rejected > 0 ? 'mixed' : 'served';
  return judged.rejected > 0 ? 'rejected' : 'none';
}

/**
 * Classifies the senders of rejected requests by the rule of `summariseClaims`; null without rejections. A verified request is required for
 * `both`. Impostors and undecided claims do not show that the real crawler was rejected.
 */
export function classifyRejected({
  verified,
  unproved,
  spoofed,
}: AnsweredClaims): (typeof rejectedGroups)[number] | null {
  if (verified.rejected + spoofed.rejected + unproved.rejected === 0) return null;
  const summary = summariseClaims({
    verified_requests: verified.rejected,
    spoofed_requests: spoofed.rejected,
    pending_requests: 0,
    unverifiable_requests: unproved.rejected,
  });
  if (summary === 'verified') return 'verified_only';
  if (summary === 'spoofed') return 'impersonators_only';
  return verified.rejected > 0 ? 'both' : 'unverifiable';
}

/**
 * Classifies the treatment of the real crawler by its verified requests: the share of 401, 402, 403, 429 and 451 in the requests that were
 * served or turned away.
 */
export function classifyRealCrawler({ verified, unproved, spoofed }: AnsweredClaims): RealCrawler {
  if (verified.requests === 0) return unproved.requests > 0 ? 'unproved' : 'absent';
  const share = turnedAwayPct(verified);
  if (share === null) return 'unanswered';
  if (share < LIMITED_PCT) return 'let_in';
  if (share < SHUT_OUT_PCT) return 'limited';
  if (unproved.served + spoofed.served > 0) return 'inverted';
  return verified.rejected === 0 ? 'charged' : 'shut_out';
}

/** Percentage of turned-away requests, including 402, in those served or turned away; null if there are none. */
export function turnedAwayPct({ served, rejected, charged }: Answered): number | null {
  const all = served + rejected + charged;
  return all === 0 ? null : (100 * (rejected + charged)) / all;
}
