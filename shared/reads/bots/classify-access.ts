import { summariseClaims } from '../answer/verification-counts.js';

/** How a bot fares at the website (spec §3.9), from the statuses that it was answered with. */

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

/** Percent of the answers from which on a crawler counts as turned away in part, and as shut out. */
export const LIMITED_PCT = 10;
export const SHUT_OUT_PCT = 90;

/** Requests by how the website answered them: 2xx and 3xx, 401/403/429/451, 402. Other answers are in none. */
export interface Answered {
  /** Whatever they were answered. */
  readonly requests: number;
  readonly served: number;
  readonly rejected: number;
  readonly charged: number;
}

/** Requests under one name, by how their claim stands. */
export interface AnsweredClaims {
  readonly verified: Answered;
  /** Pending, or without a way to decide. */
  readonly unproved: Answered;
  readonly spoofed: Answered;
}

/**
 * served: 2xx/3xx and no rejection; rejected: the reverse; mixed: both; none: neither (402, other 4xx, 5xx, no answer).
 * The requests that are proved to be the bot's own decide. A bot without them is judged by its unproved requests, and a name
 * that only impersonators used by theirs.
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
 * Whom the rejections met, by the rule of `summariseClaims`; null where there are none. `both` needs a proved request among them:
 * impostors and open claims alone do not say that the real crawler was rejected.
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
 * How the website treats the real crawler, in one word, by the requests that are proved to be its own. The share that counts is
 * that of 401, 402, 403, 429 and 451 in what was served or turned away.
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

/** Percent of the requests served or turned away that were turned away, 402 included; null where there are none. */
export function turnedAwayPct({ served, rejected, charged }: Answered): number | null {
  const all = served + rejected + charged;
  return all === 0 ? null : (100 * (rejected + charged)) / all;
}
