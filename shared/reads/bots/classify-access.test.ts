import { describe, expect, test } from 'vitest';
import { type Answered, classifyAccess, classifyRealCrawler, classifyRejected } from './classify-access.js';

const answered = (served: number, rejected: number, charged = 0, others = 0): Answered => ({
  requests: served + rejected + charged + others,
  served,
  rejected,
  charged,
});
const none = answered(0, 0);
const claims = (verified: Answered, spoofed: Answered = none, unproved: Answered = none) => ({
  verified,
  spoofed,
  unproved,
});

describe('access, by the verified requests', () => {
  test.each([
    [answered(5, 0), 'served'],
    [answered(0, 5), 'rejected'],
    [answered(1, 1), 'mixed'],
    [answered(0, 0, 0, 3), 'none'],
    [answered(0, 0, 3), 'none'],
  ])('%j is %s', (verified, expected) => {
    expect(classifyAccess(claims(verified))).toBe(expected);
  });

  test('answers to impostors change nothing if the real crawler came', () => {
    expect(classifyAccess(claims(answered(0, 133), answered(8, 0)))).toBe('rejected');
    expect(classifyAccess(claims(answered(900, 0), answered(0, 40)))).toBe('served');
    expect(classifyAccess(claims(answered(0, 0, 0, 2), answered(8, 8), answered(8, 8)))).toBe('none');
  });

  test('unproved requests decide without verified ones, and impostors decide without both', () => {
    expect(classifyAccess(claims(none, answered(8, 0), answered(0, 5)))).toBe('rejected');
    expect(classifyAccess(claims(none, answered(0, 5)))).toBe('rejected');
    expect(classifyAccess(claims(none))).toBe('none');
  });
});

describe('real_crawler', () => {
  test.each([
    ['let_in', 'all are served', claims(answered(50, 0), answered(0, 40))],
    ['let_in', 'hardly any are turned away', claims(answered(95, 5))],
    ['limited', 'some are turned away', claims(answered(90, 10))],
    ['limited', 'some are asked to pay', claims(answered(50, 0, 50))],
    ['shut_out', 'all are turned away', claims(answered(0, 133))],
    ['shut_out', 'all but robots.txt are turned away', claims(answered(10, 123))],
    ['shut_out', 'impostors are turned away, too', claims(answered(0, 133), answered(0, 8))],
    [
      'inverted',
      'the real one is turned away and impostors are served',
      claims(answered(0, 133), answered(8, 0)),
    ],
    ['inverted', 'unproved ones are served', claims(answered(0, 133), none, answered(8, 0))],
    [
      'inverted',
      'the real one is to pay and impostors are served',
      claims(answered(0, 0, 20), answered(8, 0)),
    ],
    ['charged', 'all are asked to pay', claims(answered(0, 0, 20))],
    ['shut_out', 'some are asked to pay and the others turned away', claims(answered(0, 5, 20))],
    ['unanswered', 'only other answers were given', claims(answered(0, 0, 0, 9), answered(8, 0))],
    ['unproved', 'no claim is decided', claims(none, none, answered(0, 522))],
    ['unproved', 'only impostors are proved', claims(none, answered(8, 0), answered(0, 522))],
    ['absent', 'only impostors came', claims(none, answered(8, 0))],
  ] as const)('%s: %s', (expected, _, given) => {
    expect(classifyRealCrawler(given)).toBe(expected);
  });
});

describe('senders of rejected requests', () => {
  const row = (verified: number, spoofed: number, undecided: number) =>
    claims(answered(0, verified), answered(0, spoofed), answered(0, undecided));
  test.each([
    [row(0, 0, 0), null],
    [row(3, 0, 0), 'verified_only'],
    [row(0, 3, 0), 'impersonators_only'],
    [row(1, 1, 0), 'both'],
    [row(0, 0, 3), 'unverifiable'],
  ])('%j is %s', (rejections, expected) => {
    expect(classifyRejected(rejections)).toBe(expected);
  });

  test.each([
    [row(1, 0, 9), 'both'],
    [row(30, 0, 547), 'both'],
    [row(1, 1, 9), 'both'],
    [row(0, 1, 9), 'unverifiable'],
  ])('with undecided claims, %j is %s', (rejections, expected) => {
    expect(classifyRejected(rejections)).toBe(expected);
  });
});
