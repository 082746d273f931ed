import { describe, expect, it } from 'vitest';
import { ruleMatches } from './rule-matches.js';

describe('the preview of a rule', () => {
  it.each([
    ['prefix', '/blog/', '/blog/a', true],
    ['prefix', '/blog/', '/Blog/a', false],
    ['prefix', '/café', '/caf%C3%A9/menu', true],
    ['prefix', '/.', '/.well-known/x', true],
    ['contains', 'hike', '/blog/best-hikes', true],
    ['exact', '/', '/', true],
    ['exact', '/', '/a', false],
    ['contains', '', '/a', false],
  ] as const)('%s %j, %s: %s', (type, value, path, expected) =>
    expect(ruleMatches({ type, value }, path)).toBe(expected),
  );

  it.each(['regex', 'query'] as const)('leaves %s to the server', (type) =>
    expect(ruleMatches({ type, value: '(a+)+$' }, '/aaaa')).toBeNull(),
  );
});
