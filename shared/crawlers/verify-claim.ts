import type { VerificationMethod as UsedMethod, VerificationStatus } from '../requests/enriched-request.js';
import type { VerifyByRanges } from './range-verifier.js';
import type { CrawlerIdentity } from './table.js';

/** Whose claim it is, and what the CDN before the website says of the client. */
interface Claimant {
  readonly client_ip: string;
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
const verifiedByCdn: ClaimVerdict = Object.freeze({ status: 'verified', method: 'cdn' });

/**
 * How a crawler's claim stands for a client. Published ranges answer first, those of the request's day. An address outside them is
 * spoofed where the operator has no other method, and asked of reverse DNS where it has, since ranges age. Where ranges leave it open,
 * a CDN's own verdict is believed before DNS is asked: it saw the connection. It never overrules an operator's ranges.
 */
export function verifyClaim(
  { method, family }: CrawlerIdentity,
  { client_ip, timestamp, cdn_bot_category }: Claimant,
  { verifyByRanges }: { verifyByRanges: VerifyByRanges },
  askDns: (family: string, clientIp: string) => VerificationStatus,
): ClaimVerdict {
  const inRanges = method.startsWith('ranges') && verifyByRanges(family, client_ip, timestamp) === true;
  if (inRanges) return verifiedByRanges;
  if (method === 'ranges') return spoofedByRanges;
  if (cdn_bot_category !== '') return verifiedByCdn;
  return method === 'none' ? unverifiable : { status: askDns(family, client_ip), method: 'reverse_dns' };
}
