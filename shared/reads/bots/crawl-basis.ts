import { z } from '@hono/zod-openapi';
import { count } from '../answer/figures.js';

/** What answers about search crawlers say of the requests that they rest on (shared/reads/bots/crawl-basis-sql.ts). */

/** @param period in which a proved request makes the proved ones count. */
export const basisText = (period: 'last 90 days' | 'window') =>
  `verified: those proved to be of the crawlers; claims that are not proved are left out. unproved: none of the ${period} is proved (the installation cannot resolve names, or the operators publish no method), so unproved claims count, which anyone can make. Proven impostors never count.`;

export const basisIn = (period: Parameters<typeof basisText>[0]) =>
  z
    .enum(['verified', 'unproved'])
    .openapi({ description: `Which requests of crawlers this answer counts. ${basisText(period)}` });

export const BASIS_TEXT = `Which requests of crawlers this answer counts. ${basisText('last 90 days')}`;

/** Of answers that count the last 90 days. */
export const crawlBasis = basisIn('last 90 days');

/** How many requests of a figure are proved. The figure counts all but those of proven impostors. @param of e.g. `requests` */
export const proofCounts = (of: string) => ({
  verified_requests: count(`Those of ${of} whose address proved to be one of the crawler.`),
  unproved_requests: count(
    `Those of ${of} that nothing proves: not verified yet, or the operator publishes no method. Anyone can make such a claim.`,
  ),
});

/** Fields of `proofCounts`. */
export function toProofCounts(row: { readonly requests: number; readonly verified_requests: number }) {
  return {
    verified_requests: row.verified_requests,
    unproved_requests: row.requests - row.verified_requests,
  };
}
