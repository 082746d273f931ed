import type { VerifyByRanges } from '../../../shared/crawlers/range-verifier.js';
import type { CrawlerIdentity } from '../../../shared/crawlers/table.js';
import type { VerificationStatus } from '../../../shared/requests/enriched-request.js';
import { lastDayOf } from '../../../shared/requests/last-day.js';
import type { RawBlock } from '../../../shared/requests/raw-request.js';
import type { DnsVerifier } from '../verification/dns-verifier.js';

export interface VerifyCrawlerDependencies {
  readonly verifyByRanges: VerifyByRanges;
  readonly dnsVerifier: Pick<DnsVerifier, 'verdictOf'>;
  /** How long the website's rows are kept. */
  retentionDays(websiteId: string): number;
}

/** Whose request it is, and when it came. */
type Receipt = Pick<RawBlock, 'website_id' | 'received_at'>;

/**
 * How a crawler's claim stands for a client address. Published ranges answer first. An address outside them
 * is spoofed where the operator has no other method, and asked of reverse DNS where it has, since ranges age.
 */
export function createVerifyCrawlerStep(deps: VerifyCrawlerDependencies) {
  const { verifyByRanges, dnsVerifier, retentionDays } = deps;
  const askDns = (family: string, clientIp: string, { website_id, received_at }: Receipt) =>
    dnsVerifier.verdictOf(family, clientIp, {
      websiteId: website_id,
      lastDay: lastDayOf(received_at, retentionDays(website_id)),
    });
  return ({ method, family }: CrawlerIdentity, clientIp: string, receipt: Receipt): VerificationStatus => {
    switch (method) {
      case 'none':
        return 'unverifiable';
      case 'ranges':
        return verifyByRanges(family, clientIp) ? 'verified' : 'spoofed';
      case 'reverse_dns':
        return askDns(family, clientIp, receipt);
      case 'ranges_then_reverse_dns':
        return verifyByRanges(family, clientIp) ? 'verified' : askDns(family, clientIp, receipt);
    }
  };
}
