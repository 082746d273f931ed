import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokens } from './sql-lexer.js';

const kinds = (sql: string) =>
  [...tokens(sql)]
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, start, end }) => [kind, sql.slice(start, end)]);

describe('tokens', () => {
  test.each([
    ["'a''b' x", "'a''b'"],
    ["'a\\'b' x", "'a\\'b'"],
    ["'a\\\\' x", "'a\\\\'"],
    ["'-- no comment /* */' x", "'-- no comment /* */'"],
    ["$tag$ it's $$ fine $tag$ x", "$tag$ it's $$ fine $tag$"],
    ['\u2018curly\u2019 x', '\u2018curly\u2019'],
  ])('reads %s as one string and a word', (sql, literal) => {
    expect(kinds(sql)).toEqual([
      ['string', literal],
      ['word', 'x'],
    ]);
  });

  test.each([
    ["-- it's one\nx", "-- it's one"],
    ['# it`s one\nx', '# it`s one'],
    ["/* it's\n one */ x", "/* it's\n one */"],
  ])('reads %s as a comment and a word', (sql, comment) => {
    expect(kinds(sql)).toEqual([
      ['comment', comment],
      ['word', 'x'],
    ]);
  });

  test('cover any text without gap or overlap, even with unclosed quotes or comments', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab1 \'"`\\-/*#!$\u2018\u2019\u201c{}():;\n') }),
        (sql) => {
          expect([...tokens(sql)].map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql);
        },
      ),
    );
  });
});
