import type { VerificationMethod as UsedMethod, VerificationStatus } from '../requests/enriched-request.js';
import type { CrawlerRules } from './crawler-rules.js';
import type { CrawlerIdentity } from './table.js';

/** Whose claim it is, and what the CDN before the website says of the client. */
interface Claimant {
  readonly client_ip: string;
  /** Number of the network that the address is in; 0: unknown. */
  readonly asn: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** The CDN's category of bots that it verified; '' where it verified none, or says nothing. */
  readonly cdn_bot_category: string;
}

interface ClaimVerdict {
  readonly status: VerificationStatus;
  /** What decided, or will. */
  readonly method: UsedMethod | '';
}

const unverifiable: ClaimVerdict = Object.freeze({ status: 'unverifiable', method: '' });
const verifiedByRanges: ClaimVerdict = Object.freeze({ status: 'verified', method: 'ranges' });
const spoofedByRanges: ClaimVerdict = Object.freeze({ status: 'spoofed', method: 'ranges' });
const unsureByRanges: ClaimVerdict = Object.freeze({ status: 'unverifiable', method: 'ranges' });
const verifiedByNetwork: ClaimVerdict = Object.freeze({ status: 'verified', method: 'network' });
const verifiedByCdn: ClaimVerdict = Object.freeze({ status: 'verified', method: 'cdn' });

/**
 * Decides a crawler's claim for a client. The ranges published on the request's day answer first, then the operator's own network.
 * A client outside both is spoofed where the list is fresh and the operator has no other method; outside an old list nothing is known of it.
 * Reverse DNS is asked where the operator has it. Where ranges leave it open, a CDN's own verdict is believed before DNS is asked: it saw
 * the connection. It never overrules a fresh list.
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
