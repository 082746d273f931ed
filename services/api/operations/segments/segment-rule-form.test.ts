import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentLibrary } from '../../../../shared/control/domain/segment-library.js';
import { expectedForm } from './segment-rule-form.js';

describe('a segment rule', () => {
  it.each([
    ['prefix', 'blog', 'a path that begins with /, like "/blog"'],
    ['exact', 'https://example.com/blog?page=2', 'a path that begins with /, like "/blog"'],
    ['exact', 'example page', 'a path that begins with /, like "/example%20page"'],
    ['query', '?page=', 'a part of the query string, without the ?, like "&page="'],
  ] as const)('%s %s can never match, and a matching form is named', (type, value, expected) => {
    expect(expectedForm({ type, value })).toBe(expected);
  });

  it('has its length limit on the encoded text, in any spelling', () => {
    expect(expectedForm({ type: 'contains', value: 'é'.repeat(166) })).toBeNull();
    expect(expectedForm({ type: 'contains', value: 'é'.repeat(167) })).toBe(
      'at most 1000 characters once it is percent-encoded',
    );
  });

  it.each([
    ['exact', '/search?q=shoes'],
    ['prefix', '/blog#top'],
    ['contains', '?page='],
    ['query', '&a=1#top'],
  ] as const)('%s %s can never match', (type, value) => {
    expect(expectedForm({ type, value })).toContain('query string');
  });

  it.each([
    ['prefix', '/blog'],
    ['exact', '/gr%C3%B6%C3%9Fe'],
    ['exact', '*'],
    ['prefix', '/größe'],
    ['contains', 'zwei worte'],
    ['query', '&q=größe'],
    ['contains', 'blog'],
    ['query', '&page='],
    ['query', '='],
    ['regex', 'größe |\\?x'],
  ] as const)('%s %s can match', (type, value) => {
    expect(expectedForm({ type, value })).toBeNull();
  });

  it('of the library can match', () => {
    const rules = segmentLibrary.flatMap((segment) => segment.rules);
    expect(rules.map(expectedForm).filter((form) => form !== null)).toEqual([]);
  });

  it('can match if it is a prefix of a logged path', () => {
    const path = fc.webPath().map((text) => `/${text}`.replace(/[^!-~?#]/g, ''));
    fc.assert(
      fc.property(path, fc.nat(40), (logged, length) => {
        expect(expectedForm({ type: 'prefix', value: logged.slice(0, length + 1) })).toBeNull();
      }),
    );
  });
});
