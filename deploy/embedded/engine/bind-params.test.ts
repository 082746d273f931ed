import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindParams } from './bind-params.js';
import { tokens } from './sql-lexer.js';

const bind = (sql: string, params: Record<string, string>) =>
  bindParams(sql, new Map(Object.entries(params)));

describe('bindParams', () => {
  test('casts a checked literal to the named type', () => {
    expect(bind('SELECT {a:UInt8} + { b : Nullable(Int64) }', { a: '7', b: '\\N' })).toBe(
      "SELECT _CAST('7', 'UInt8') + _CAST(NULL, 'Nullable(Int64)')",
    );
  });

  test('ignores placeholders in strings, comments and quoted names', () => {
    const sql = "SELECT '{a:String}', `{a:String}` -- {a:String}\n /* {a:String} */ FROM map({'k': 1})";
    expect(bind(sql, {})).toBe(sql);
  });

  test('names the missing parameter', () => {
    expect(() => bind('SELECT {a:String}', { b: '1' })).toThrow(/Code: 456.*`a`/);
  });

  test.each([
    ['UInt8', '256'],
    ['UInt8', '-1'],
    ['UInt8', '1.5'],
    ['UInt8', '1 OR 1=1'],
    ['UInt8', '\\N'],
    ['Int8', '128'],
    ['Int64', ''],
    ['UInt64', '18446744073709551616'],
    ['Identifier', ''],
    ['Identifier', '\\N'],
  ])('refuses for %s the value %s', (type, value) => {
    expect(() => bind(`SELECT {a:${type}}`, { a: value })).toThrow(/Code: 457.*parameter a/);
  });

  test.each(["Enum8('a;b'=1)", '`x`', '(', "DateTime('UTC'), 1"])(
    'keeps the type %s in a literal',
    (type) => {
      const sql = bind(`SELECT {a:${type}}`, { a: '1' });
      const found = [...tokens(sql)]
        .filter(({ kind }) => kind === 'string')
        .map((token) => sql.slice(token.start, token.end));
      expect(found.join(', ')).toBe(sql.slice('SELECT _CAST('.length, -1));
    },
  );

  test('quotes an identifier, including its backticks', () => {
    expect(bind('SELECT 1 FROM {t:Identifier}', { t: 'a`; DROP TABLE x' })).toBe(
      'SELECT 1 FROM `a\\`; DROP TABLE x`',
    );
  });

  const escapeText = (text: string) =>
    text.replace(/[\\\t\n\r']/g, (c) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[c] ?? `\\${c}`);

  test('keeps any text inside one string literal', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'\'\\`";-/*{}:$ \n\t\0\u2019aN') });
    fc.assert(
      fc.property(hostile, hostile, (text, other) => {
        const sql = bind('SELECT {a:String}, {b:Array(String)} FROM t', {
          a: escapeText(text),
          b: `['${escapeText(other)}','x']`,
        });
        const shape = [...tokens(sql)].filter(({ kind }) => kind !== 'space').map(({ kind }) => kind);
        const plain = [...tokens("SELECT _CAST('', 'String'), _CAST('', 'Array(String)') FROM t")];
        expect(shape).toEqual(plain.filter(({ kind }) => kind !== 'space').map(({ kind }) => kind));
        expect(sql).not.toContain('\0');
      }),
    );
  });

  test('keeps unescaped values inside one literal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const sql = bind('SELECT {a:String}', { a: text });
        const strings = [...tokens(sql)].filter(({ kind }) => kind === 'string');
        expect(strings).toHaveLength(2);
        expect(strings[1]?.end).toBe(sql.length - 1);
      }),
    );
  });
});
