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
});

test.each([
  ['none', true, '', 'unverifiable', '', []],
  ['ranges', true, '', 'verified', 'ranges', []],
  ['ranges', false, '', 'spoofed', 'ranges', []],
  ['reverse_dns', true, '', 'pending', 'reverse_dns', ['X 192.0.2.1']],
  ['ranges_then_reverse_dns', true, '', 'verified', 'ranges', []],
  ['ranges_then_reverse_dns', false, '', 'pending', 'reverse_dns', ['X 192.0.2.1']],
  // A CDN's verdict decides what ranges leave open, and never what they say.
  ['none', true, 'AI Crawler', 'verified', 'cdn', []],
  ['ranges', false, 'AI Crawler', 'spoofed', 'ranges', []],
  ['reverse_dns', true, 'AI Crawler', 'verified', 'cdn', []],
  ['ranges_then_reverse_dns', true, 'AI Crawler', 'verified', 'ranges', []],
  ['ranges_then_reverse_dns', false, 'AI Crawler', 'verified', 'cdn', []],
] as const)(
  'method %s, in the ranges: %s, CDN: "%s" → %s by "%s"',
  (method, inRanges, cdn_bot_category, status, by, asked) => {
    const lookups: string[] = [];
    const claimant = { client_ip: '192.0.2.1', timestamp: 7, cdn_bot_category };
    const verdict = verifyClaim(
      identity(method),
      claimant,
      { verifyByRanges: (_, __, at) => at === 7 && inRanges },
      (family, ip) => {
        lookups.push(`${family} ${ip}`);
        return 'pending';
      },
    );
    expect(verdict).toEqual({ status, method: by });
    expect(lookups).toEqual(asked);
  },
);
