import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexCost } from './regex-cost.js';

describe('the size of a regex', () => {
  it.each([
    ['/blog/', 6],
    ['[0-9]+', 5],
    ['a{3}b', 7],
    ['(ab){10}', 50],
    ['(a{10}){10}', 230],
    ['a{2,}', 4],
    ['x{,3}', 4],
    ['\\.', 1],
    ['ü', 4],
  ])('%s is about %d', (pattern, size) => {
    const { size: found } = regexCost(pattern);
    expect(found).toBeGreaterThanOrEqual(size * 0.7);
    expect(found).toBeLessThanOrEqual(size * 1.5);
  });

  it.each([
    ['[ab]a[ab]{900}c', 900],
    ['(([ab]?){0,30}a){30}c', 1_800],
    ['(((a{30}){30}){30})', 27_000],
    ['\\pL{20}', 4_000],
    ['(?i)[^x]{300}y', 300],
    ['(?:x{200}){1,200}', 40_000],
    ['.{900}c', 900],
    ['[[:alpha:]]{900}', 900],
    ['[]a]{900}', 900],
    ['(?P<name>a{500}){2}', 1_000],
    ['\\Qaaaa\\E{900}', 900],
    ['\\x{61}{900}', 900],
    ['(a|b|ab|ba){200}c', 1_200],
  ])('%s is at least the %d instructions that it compiles to', (pattern, least) => {
    expect(regexCost(pattern).size).toBeGreaterThanOrEqual(least);
  });

  it('returns the largest repetition, and treats a brace as text where RE2 does', () => {
    expect(regexCost('a{3}b{7,90}c{5,}').longestRepeat).toBe(90);
    expect(regexCost('a{,900}{x}{1,2,3}').longestRepeat).toBe(0);
  });

  it('terminates for every text, and a repeated pattern is never smaller', () => {
    const characters = [...'ab()[]{}|*+?\\.^$-,:19pPQExiüé😀', '(?i)', '{9}', '[[:', '\\p{', '\\x{', '[^'];
    const pattern = fc.string({ unit: fc.constantFrom(...characters), maxLength: 60 });
    fc.assert(
      fc.property(pattern, (text) => {
        const { size } = regexCost(text);
        expect(size).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(size)).toBe(true);
      }),
    );
  });

  it('grows linearly with the pattern', () => {
    // Asserts bounded work: a backtracking walk would exceed the test's time.
    for (const part of ['(', '[', '\\p{', '[[:', '(?', '{1', '\\Q', 'a{1}'])
      expect(regexCost(part.repeat(200_000)).size).toBeGreaterThanOrEqual(0);
  });
});
