import { describe, expect, test } from 'vitest';
import { classifyAccess, classifyRejected } from './classify-access.js';

describe('access', () => {
  test.each([
    [{ served: 5, rejected: 0 }, 'served'],
    [{ served: 0, rejected: 5 }, 'rejected'],
    [{ served: 1, rejected: 1 }, 'mixed'],
    [{ served: 0, rejected: 0 }, 'none'],
  ])('%j is %s', (row, expected) => {
    expect(classifyAccess(row)).toBe(expected);
  });
});

describe('whom rejections met', () => {
  const row = (verified: number, spoofed: number, undecided: number) => ({
    rejected: verified + spoofed + undecided,
    rejected_verified: verified,
    rejected_spoofed: spoofed,
  });
  test.each([
    [row(0, 0, 0), null],
    [row(3, 0, 0), 'verified_only'],
    [row(0, 3, 0), 'impersonators_only'],
    [row(1, 1, 0), 'both'],
    [row(0, 0, 3), 'unverifiable'],
  ])('%j is %s', (rejections, expected) => {
    expect(classifyRejected(rejections)).toBe(expected);
  });

  test('undecided claims change nothing where others are decided', () => {
    expect(classifyRejected(row(1, 0, 9))).toBe('verified_only');
    expect(classifyRejected(row(0, 1, 9))).toBe('impersonators_only');
    expect(classifyRejected(row(1, 1, 9))).toBe('both');
  });
});
