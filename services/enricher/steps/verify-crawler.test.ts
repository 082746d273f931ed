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
  ['reverse_dns', true, 'pending', ['X 192.0.2.1']],
  ['ranges_then_reverse_dns', true, 'verified', []],
  ['ranges_then_reverse_dns', false, 'pending', ['X 192.0.2.1']],
] as const)('method %s, in the ranges: %s → %s', (method, inRanges, status, asked) => {
  const lookups: string[] = [];
  const verify = createVerifyCrawlerStep({
    verifyByRanges: () => inRanges,
    dnsVerifier: {
      verdictOf: (family, ip) => {
        lookups.push(`${family} ${ip}`);
        return 'pending';
      },
    },
  });
  expect(verify(identity(method), '192.0.2.1')).toBe(status);
  expect(lookups).toEqual(asked);
});
