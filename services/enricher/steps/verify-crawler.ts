import type { VerifyByRanges } from '../../../shared/crawlers/range-verifier.js';
import type { CrawlerIdentity } from '../../../shared/crawlers/table.js';
import type { VerificationStatus } from '../../../shared/requests/enriched-request.js';
import type { DnsVerifier } from '../verification/dns-verifier.js';

export interface VerifyCrawlerDependencies {
  readonly verifyByRanges: VerifyByRanges;
  readonly dnsVerifier: Pick<DnsVerifier, 'verdictOf'>;
}

/**
 * How a crawler's claim stands for a client address. Published ranges answer first. An address outside them
 * is spoofed where the operator has no other method, and asked of reverse DNS where it has, since ranges age.
 */
export function createVerifyCrawlerStep({ verifyByRanges, dnsVerifier }: VerifyCrawlerDependencies) {
  return (identity: CrawlerIdentity, clientIp: string): VerificationStatus => {
    switch (identity.method) {
      case 'none':
        return 'unverifiable';
      case 'ranges':
        return verifyByRanges(identity.family, clientIp) ? 'verified' : 'spoofed';
      case 'reverse_dns':
        return dnsVerifier.verdictOf(identity.family, clientIp);
      case 'ranges_then_reverse_dns':
        return verifyByRanges(identity.family, clientIp)
          ? 'verified'
          : dnsVerifier.verdictOf(identity.family, clientIp);
    }
  };
}

export type VerifyCrawler = ReturnType<typeof createVerifyCrawlerStep>;
