import { expect, test } from 'vitest';
import { summariseClaims } from './verification-counts.js';

test.each([
  [[30, 0, 0, 0], 'verified'],
  [[0, 30, 0, 0], 'spoofed'],
  [[0, 0, 30, 0], 'pending'],
  [[0, 0, 0, 30], 'unverifiable'],
  [[0, 0, 1, 29], 'pending'],
  [[0, 0, 0, 0], 'unverifiable'],
  [[15, 15, 0, 0], 'mixed'],
  [[30, 0, 547, 0], 'mixed'],
  [[30, 0, 0, 547], 'mixed'],
  [[29, 0, 1, 0], 'mixed'],
  [[0, 30, 547, 0], 'mixed'],
  [[0, 30, 0, 1], 'mixed'],
] as const)('%j verified, spoofed, pending and unverifiable requests are %s', (counts, expected) => {
  const [verified, spoofed, pending, unverifiable] = counts;
  expect(
    summariseClaims({
      verified_requests: verified,
      spoofed_requests: spoofed,
      pending_requests: pending,
      unverifiable_requests: unverifiable,
    }),
  ).toBe(expected);
});
