import { z } from '@hono/zod-openapi';
import { count } from '../answer/figures.js';

/** Fields that show which requests of search crawlers an answer counts (shared/reads/bots/crawl-basis-sql.ts). */

/** @param period in which one verified request restricts the counts to verified requests. */
export const basisText = (period: 'last 90 days' | 'window') =>
  `verified: requests proved to be of the crawlers; unproved claims are excluded. unproved: no request of the ${period} is verified, so unproved claims count, which anyone can make: the installation cannot resolve names, or the operators publish no method. Proven impostors never count.`;

export const basisIn = (period: Parameters<typeof basisText>[0]) =>
  z
    .enum(['verified', 'unproved'])
    .openapi({ description: `Which requests of crawlers this answer counts. ${basisText(period)}` });

export const BASIS_TEXT = `Which requests of crawlers this answer counts. ${basisText('last 90 days')}`;

/** For answers that count the last 90 days. */
export const crawlBasis = basisIn('last 90 days');

/**
 * The number of verified requests in a figure. The figure counts all requests except those of proven impostors. @param of e.g. `requests`
 */
export const proofCounts = (of: string) => ({
  verified_requests: count(`Requests in ${of} from a verified address of the crawler.`),
  unproved_requests: count(
    `Requests in ${of} that are not verified yet, or whose operator publishes no method. Anyone can make such a claim.`,
  ),
});

/** Fields of `proofCounts`. */
export function toProofCounts(row: { readonly requests: number; readonly verified_requests: number }) {
  return {
    verified_requests: row.verified_requests,
    unproved_requests: row.requests - row.verified_requests,
  };
}
