import type { VerificationMethod as UsedMethod, VerificationStatus } from '../requests/enriched-request.js';
import type { CrawlerRules } from './crawler-rules.js';
import type { CrawlerIdentity } from './table.js';

/** Client that makes the claim, with the CDN's verdict on it. */
interface Claimant {
  readonly client_ip: string;
  /** Autonomous system of the address; 0: unknown. */
  readonly asn: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Bot category that the CDN verified; '': not verified, or no CDN verdict. */
  readonly cdn_bot_category: string;
}

interface ClaimVerdict {
  readonly status: VerificationStatus;
  /** Method that decided, or will decide. */
  readonly method: UsedMethod | '';
}

const unverifiable: ClaimVerdict = Object.freeze({ status: 'unverifiable', method: '' });
const verifiedByRanges: ClaimVerdict = Object.freeze({ status: 'verified', method: 'ranges' });
const spoofedByRanges: ClaimVerdict = Object.freeze({ status: 'spoofed', method: 'ranges' });
const unsureByRanges: ClaimVerdict = Object.freeze({ status: 'unverifiable', method: 'ranges' });
const verifiedByNetwork: ClaimVerdict = Object.freeze({ status: 'verified', method: 'network' });
const verifiedByCdn: ClaimVerdict = Object.freeze({ status: 'verified', method: 'cdn' });

/**
 * Verifies a client's claim to be a crawler. The ranges published on the request's day decide first, then the
 * operator's own network. A client outside both is spoofed if the list is fresh and the operator has no other method;
 * outside an old list it is unverifiable. If the ranges do not decide, the CDN's verdict precedes reverse DNS, because
 * the CDN saw the connection. It never overrules a fresh list. Reverse DNS is last, if the operator supports it.
 */
export function verifyClaim(
  { method, family }: CrawlerIdentity,
  { client_ip, asn, timestamp, cdn_bot_category }: Claimant,
  { verifyByRanges, networksOf }: Pick<CrawlerRules, 'verifyByRanges' | 'networksOf'>,
  askDns: (family: string, clientIp: string) => VerificationStatus,
): ClaimVerdict {
  const finding = method.startsWith('ranges') ? verifyByRanges(family, client_ip, timestamp) : null;
  if (finding === 'inside') return verifiedByRanges;
  if (networksOf(family).has(asn)) return verifiedByNetwork;
  if (method === 'ranges' && finding === 'outside') return spoofedByRanges;
  if (cdn_bot_category !== '') return verifiedByCdn;
  if (method === 'ranges') return unsureByRanges;
  return method === 'none' ? unverifiable : { status: askDns(family, client_ip), method: 'reverse_dns' };
}
