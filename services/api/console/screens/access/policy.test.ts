import { describe, expect, it } from 'vitest';
import { groupOf, policyOf } from './policy.js';

const group = (user_agent: string, ...disallowed: string[]) => ({
  user_agent,
  rules: disallowed.map((path) => ({ type: 'disallow' as const, path })),
});
const groups = [group('*', '/cart'), group('GoogleBot', ''), group('GPTBot', '/')];

describe('the group of robots.txt that a crawler follows', () => {
  it.each([
    ['Googlebot', 'GoogleBot'],
    ['Googlebot-Image', 'GoogleBot'],
    ['GPTBot', 'GPTBot'],
    ['bingbot', '*'],
    ['__proto__', '*'],
  ])('%s: %s', (bot, expected) => expect(groupOf(bot, groups)?.user_agent).toBe(expected));

  it('is none without a group for all', () => expect(groupOf('bingbot', [group('GPTBot', '/')])).toBeNull());
});

describe('the policy in words', () => {
  it.each([
    ['Googlebot', 'everything allowed'],
    ['GPTBot', 'everything forbidden'],
    ['bingbot', 'parts forbidden (1)'],
  ])('%s: %s', (bot, expected) => expect(policyOf(groups, groupOf(bot, groups))).toBe(expected));

  it('is not known without a version in force', () => expect(policyOf(null, null)).toBe('not known'));

  it('names exceptions', () =>
    expect(
      policyOf([], {
        user_agent: '*',
        rules: [
          { type: 'disallow', path: '/' },
          { type: 'allow', path: '/blog/' },
        ],
      }),
    ).toBe('forbidden but for parts'));
});
