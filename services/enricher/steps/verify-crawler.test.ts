import { expect, test } from 'vitest';
import type { CrawlerIdentity, VerificationMethod } from '../../../shared/crawlers/table.js';
import { createVerifyCrawlerStep } from './verify-crawler.js';

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
  ['none', true, 'unverifiable', []],
  ['ranges', true, 'verified', []],
  ['ranges', false, 'spoofed', []],
  ['reverse_dns', true, 'pending', ['X 192.0.2.1 for site until 20030']],
  ['ranges_then_reverse_dns', true, 'verified', []],
  ['ranges_then_reverse_dns', false, 'pending', ['X 192.0.2.1 for site until 20030']],
] as const)('method %s, in the ranges: %s → %s', (method, inRanges, status, asked) => {
  const lookups: string[] = [];
  const verify = createVerifyCrawlerStep({
    verifyByRanges: () => inRanges,
    dnsVerifier: {
      verdictOf: (family, ip, { websiteId, lastDay }) => {
        lookups.push(`${family} ${ip} for ${websiteId} until ${lastDay}`);
        return 'pending';
      },
    },
    retentionDays: (websiteId) => (websiteId === 'site' ? 30 : 400),
  });
  const receipt = { website_id: 'site', received_at: 20_000 * 86_400_000 + 1 };
  expect(verify(identity(method), '192.0.2.1', receipt)).toBe(status);
  expect(lookups).toEqual(asked);
});
