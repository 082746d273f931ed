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

/** Elements of a list in SQL. */
export const verificationsInSql = (verifications: readonly string[]): string =>
  verifications.map((one) => `'${one}'`).join(', ');

/** The bases of search crawlers and of AI crawlers. */
export type CrawlBases = Readonly<Record<'search' | 'ai', CrawlBasis>>;

/** @param verified how many requests, or families, are proved */
export const chooseBasis = (verified: number): CrawlBasis => (verified > 0 ? 'verified' : 'unproved');
