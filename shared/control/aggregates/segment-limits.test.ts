import { describe, expect, it } from 'vitest';
import type { SegmentRule } from '../domain/model.js';
import { segmentLibrary } from '../domain/segment-library.js';
import { tooCostly } from './segment-limits.js';

const regex = (value: string): SegmentRule => ({ type: 'regex', value });
const rulesOf = (...rules: SegmentRule[]) => ({ rules });

describe('limits of a segment’s regexes', () => {
  it.each([
    '/(page|p|seite)[/-]?[0-9]+(/|$)',
    '^/product/[a-z0-9-]{1,100}$',
    '^/[a-z]{2}(-[a-z]{2})?/(blog|news|stories)/\\d{4}/\\d{2}/',
    '(?i)\\.(jpe?g|png|gif|webp|avif|svg|ico|css|js|woff2?)$',
    '^/(?:[^/]+/){3,}[^/]*$',
    '.*/checkout/.*(step|schritt)-\\d+',
  ])('accept an ordinary one: %s', (value) => {
    expect(tooCostly(rulesOf(regex(value)))).toBeNull();
  });

  it('accept the whole library', () => {
    for (const { rules } of segmentLibrary) expect(tooCostly({ rules })).toBeNull();
  });

  it.each([
    ['[ab]a[ab]{900}c', 'at most 200'],
    ['(([ab]?){0,30}a){30}c', 'size of'],
    ['((((a{9}){9}){9}){9})', 'size of'],
    ['\\pL{20}', 'size of'],
    ['a'.repeat(501), 'split it'],
  ])('refuse %s with advice', (value, advice) => {
    expect(tooCostly(rulesOf(regex(value)))).toContain(advice);
    expect(tooCostly({ rules: [{ type: 'prefix', value: '/' }], excludeRules: [regex(value)] })).toContain(
      advice,
    );
  });

  it('refuse many small ones together', () => {
    const many = Array.from({ length: 21 }, (_, n) => regex(`a${n}`));
    expect(tooCostly(rulesOf(...many))).toContain('at most 20 regexes');
    const middling = Array.from({ length: 5 }, (_, n) => regex(`[a-z]{190}${n}`));
    expect(tooCostly(rulesOf(...middling))).toContain('together');
  });

  it('ignore rules of other kinds', () => {
    expect(tooCostly(rulesOf({ type: 'contains', value: '[ab]{900}' }))).toBeNull();
  });
});
