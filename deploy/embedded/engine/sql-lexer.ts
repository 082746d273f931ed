/**
 * Splits SQL as ClickHouse's lexer does, as far as the front needs: it finds the ends of strings, quoted names and
 * comments, so their contents are never treated as code.
 */

export type TokenKind = 'word' | 'string' | 'quotedName' | 'comment' | 'space' | 'punctuation' | 'number';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  /** Index after the token's last character. */
  readonly end: number;
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9][A-Za-z0-9_]*(?:\.[0-9]+)?/y;
const SPACE = /\s+/y;
const LINE_COMMENT = /(?:--|#[ !])[^\n]*/y;
const HEREDOC = /\$[A-Za-z0-9_]*\$/y;
/** Opening character -> closing character. ClickHouse also treats the curly pairs as quotes. */
const quotes: ReadonlyMap<string, { close: string; kind: TokenKind; escapes: boolean }> = new Map([
  ["'", { close: "'", kind: 'string', escapes: true }],
  ['"', { close: '"', kind: 'quotedName', escapes: true }],
  ['`', { close: '`', kind: 'quotedName', escapes: true }],
  ['\u2018', { close: '\u2019', kind: 'string', escapes: false }],
  ['\u201c', { close: '\u201d', kind: 'quotedName', escapes: false }],
]);

/** Yields tokens, including spaces and comments. A caller that stops early does not read megabytes of data after the statement. */
export function* tokens(sql: string): Generator<Token> {
  let position = 0;
  while (position < sql.length) {
    const token = tokenAt(sql, position);
    yield token;
    position = token.end;
  }
}

function tokenAt(sql: string, start: number): Token {
  const character = sql[start] as string;
  const quote = quotes.get(character);
  if (quote !== undefined) {
    return { kind: quote.kind, start, end: quotedEnd(sql, start, quote.close, quote.escapes) };
  }
  if (character === '/' && sql[start + 1] === '*') {
    const close = sql.indexOf('*/', start + 2);
    return { kind: 'comment', start, end: close < 0 ? sql.length : close + 2 };
  }
  const heredoc = matchAt(HEREDOC, sql, start);
  if (heredoc !== null) {
    const close = sql.indexOf(heredoc, start + heredoc.length);
    return { kind: 'string', start, end: close < 0 ? sql.length : close + heredoc.length };
  }
  for (const [pattern, kind] of simple) {
    const text = matchAt(pattern, sql, start);
    if (text !== null) return { kind, start, end: start + text.length };
  }
  return { kind: 'punctuation', start, end: start + 1 };
}

const simple: [RegExp, TokenKind][] = [
  [SPACE, 'space'],
  [LINE_COMMENT, 'comment'],
  [WORD, 'word'],
  [NUMBER, 'number'],
];

function matchAt(pattern: RegExp, sql: string, start: number): string | null {
  pattern.lastIndex = start;
  return pattern.exec(sql)?.[0] ?? null;
}

function quotedEnd(sql: string, start: number, close: string, escapes: boolean): number {
  for (let index = start + 1; index < sql.length; index++) {
    if (escapes && sql[index] === '\\') index++;
    else if (sql[index] === close) {
      if (!escapes || sql[index + 1] !== close) return index + 1;
      index++;
    }
  }
  return sql.length;
}
