import { expect, test } from 'vitest';
import type { CrawlerIdentity, VerificationMethod } from './table.js';
import { verifyClaim } from './verify-claim.js';

const identity = (method: VerificationMethod): CrawlerIdentity => ({
  name: 'x',
  variant: '',
  family: 'X',
  operator: 'X',
  category: 'search',
  aiIntent: null,
  method,
  onlyFrom: null,
});

test.each([
  ['none', 'inside', '', 'unverifiable', '', []],
  ['ranges', 'inside', '', 'verified', 'ranges', []],
  ['ranges', 'outside', '', 'spoofed', 'ranges', []],
  ['ranges', 'unsure', '', 'unverifiable', 'ranges', []],
  ['reverse_dns', 'inside', '', 'pending', 'reverse_dns', ['X 192.0.2.1']],
  ['ranges_then_reverse_dns', 'inside', '', 'verified', 'ranges', []],
  ['ranges_then_reverse_dns', 'outside', '', 'pending', 'reverse_dns', ['X 192.0.2.1']],
  ['ranges_then_reverse_dns', 'unsure', '', 'pending', 'reverse_dns', ['X 192.0.2.1']],
  // A CDN's verdict decides if the ranges do not, and never overrules a fresh list.
  ['none', 'inside', 'AI Crawler', 'verified', 'cdn', []],
  ['ranges', 'outside', 'AI Crawler', 'spoofed', 'ranges', []],
  ['ranges', 'unsure', 'AI Crawler', 'verified', 'cdn', []],
  ['reverse_dns', 'inside', 'AI Crawler', 'verified', 'cdn', []],
  ['ranges_then_reverse_dns', 'inside', 'AI Crawler', 'verified', 'ranges', []],
  ['ranges_then_reverse_dns', 'outside', 'AI Crawler', 'verified', 'cdn', []],
] as const)(
  'method %s, %s the ranges, CDN: "%s" → %s by "%s"',
  (method, finding, cdn_bot_category, status, by, asked) => {
    const lookups: string[] = [];
    const claimant = { client_ip: '192.0.2.1', asn: 64500, timestamp: 7, cdn_bot_category };
    const verdict = verifyClaim(
      identity(method),
      claimant,
      { verifyByRanges: (_, __, at) => (at === 7 ? finding : null), networksOf: () => new Set() },
      (family, ip) => {
        lookups.push(`${family} ${ip}`);
        return 'pending';
      },
    );
    expect(verdict).toEqual({ status, method: by });
    expect(lookups).toEqual(asked);
  },
);

test.each([
  ['ranges', 64500, 'verified', 'network'],
  ['ranges', 64501, 'spoofed', 'ranges'],
  ['ranges', 0, 'spoofed', 'ranges'],
  ['ranges_then_reverse_dns', 64500, 'verified', 'network'],
  ['reverse_dns', 64500, 'verified', 'network'],
] as const)(
  'method %s, in network %i of an operator whose own is 64500 → %s by %s',
  (method, asn, status, by) => {
    const claimant = { client_ip: '192.0.2.1', asn, timestamp: 7, cdn_bot_category: '' };
    const rules = { verifyByRanges: () => 'outside' as const, networksOf: () => new Set([64500]) };
    expect(verifyClaim(identity(method), claimant, rules, () => 'pending')).toEqual({ status, method: by });
  },
);
