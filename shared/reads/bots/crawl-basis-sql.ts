/**
 * Chooses the requests that the figures of search crawlers count. Anyone can claim to be Googlebot, so verified requests count. Without
 * any, as in an installation without reverse DNS, unproved requests count instead, and the answer states it. Proven impostors never count.
 */
export type CrawlBasis = 'verified' | 'unproved';

/** Verifications of the counted requests (verification.ts). */
export const verificationsOf: Readonly<Record<CrawlBasis, readonly string[]>> = {
  verified: ['verified'],
  unproved: ['unverifiable', 'pending'],
};

/** Elements of a list in SQL. */
export const verificationsInSql = (verifications: readonly string[]): string =>
  verifications.map((one) => `'${one}'`).join(', ');

/** The bases of search crawlers and of AI crawlers. */
export type CrawlBases = Readonly<Record<'search' | 'ai', CrawlBasis>>;

/** @param verified number of verified requests or families */
export const chooseBasis = (verified: number): CrawlBasis => (verified > 0 ? 'verified' : 'unproved');
