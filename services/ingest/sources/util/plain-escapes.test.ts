import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { undoPlainBackslashes, undoPlainPercents } from './plain-escapes.js';

const byte = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
const letters = new Map([...'"\\bnrtv'].map((letter, index) => [letter, '"\\\b\n\r\t\v'[index]!]));
const pieces = (some: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...some), fc.string({ maxLength: 2 })), { maxLength: 20 })
    .map((all) => all.join(''));

it('decodes percent escapes of ASCII, and leaves a text with any other', () => {
  const texts = pieces(['%20', '%2F', '%2f', '%41', '%7F', '%00', '%25', '+', 'a', '%80', '%', '%2', 'é']);
  fc.assert(
    fc.property(texts, fc.boolean(), (text, spaces) => {
      const given = spaces ? text.replaceAll('+', ' ') : text;
      const isPlain = /^(?:%[0-7][0-9A-Fa-f]|[^%\u0080-\uffff])*$/.test(text);
      const expected = isPlain ? given.replace(/%(..)/g, (_, digits) => byte(digits)) : null;
      expect(undoPlainPercents(text, spaces)).toBe(expected);
    }),
    { numRuns: runs(2_000) },
  );
});

it('decodes backslashes, and leaves a text with a byte or a character beyond ASCII', () => {
  const texts = pieces([
    '\\x22',
    '\\x5c',
    '\\x5C',
    '\\x',
    '\\x2',
    '\\"',
    '\\\\',
    '\\n',
    '\\t',
    '\\q',
    '\\',
    '\\xc3',
    'é',
  ]);
  fc.assert(
    fc.property(texts, (text) => {
      const undone = text.replace(/\\x([0-9A-Fa-f]{2})|\\(["\\bnrtv])/g, (_, digits, letter) =>
        letter === undefined ? byte(digits) : letters.get(letter)!,
      );
      expect(undoPlainBackslashes(text)).toBe(/[\u0080-\uffff]/.test(undone) ? null : undone);
    }),
    { numRuns: runs(2_000) },
  );
});

it('leaves texts that are longer than its buffer', () => {
  expect(undoPlainPercents('a'.repeat(4_096), false)).toBe('a'.repeat(4_096));
  expect(undoPlainPercents('a'.repeat(4_097), false)).toBeNull();
  expect(undoPlainBackslashes('\\n'.repeat(2_049))).toBeNull();
});
