/**
 * Which requests the figures of search crawlers rest on. Anyone can claim to be Googlebot, so the verified ones count. Where there are
 * none, as in an installation without reverse DNS, the unproved ones count instead, and the answer says so. Proven impostors never count.
 */
export type CrawlBasis = 'verified' | 'unproved';

/** Verifications of the requests that count (verification.ts). */
export const verificationsOf: Readonly<Record<CrawlBasis, readonly string[]>> = {
  verified: ['verified'],
  unproved: ['unverifiable', 'pending'],
};

/** @param verified how many requests, or families, are proved */
export const chooseBasis = (verified: number): CrawlBasis => (verified > 0 ? 'verified' : 'unproved');
