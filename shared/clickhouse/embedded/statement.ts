import { notImplemented, syntaxError } from './engine-error.js';
import { settingsList } from './settings.js';
import { type Token, tokens } from './sql-lexer.js';

/** A statement as the front runs it. */
export type Statement =
  /** Has an answer; `head` lacks its trailing FORMAT. */
  | {
      readonly kind: 'read';
      readonly head: string;
      readonly format: string | null;
      readonly streamable: boolean;
    }
  /** Data in `format` come behind it: from `dataStart` in the text, or in the request's body. */
  | { readonly kind: 'insert'; readonly head: string; readonly format: string; readonly dataStart: number }
  /** Changes something: DDL, INSERT … SELECT, INSERT … VALUES. */
  | {
      readonly kind: 'command';
      readonly head: string;
      readonly tail: string;
      readonly takesSettings: boolean;
    };

const reads = new Set([
  'SELECT',
  'WITH',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  'EXISTS',
  'CHECK',
  'FROM',
  'VALUES',
  '(',
]);
/** Would change the shared session for every later statement. */
const sticky = new Set([
  'SET',
  'USE',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'ATTACH',
  'DETACH',
  'BACKUP',
  'RESTORE',
]);
const withoutSettings = new Set(['SYSTEM', 'KILL', 'GRANT', 'REVOKE']);

interface Word extends Token {
  readonly text: string;
  readonly depth: number;
}

/**
 * Sorts a statement and finds what the front must cut or add. One statement only: as on a server, a second one is
 * a syntax error.
 */
export function parseStatement(sql: string): Statement {
  const first = firstWord(sql);
  if (sticky.has(first)) {
    throw notImplemented(
      `${first} has no effect beyond its request over HTTP, and the embedded engine refuses it`,
    );
  }
  if (first === 'INSERT') return parseInsert(sql);
  const words = [...codeWords(sql)];
  const head = sql.slice(0, words.at(-1)?.end ?? 0);
  if (!reads.has(first)) {
    return { kind: 'command', head, tail: '', takesSettings: !withoutSettings.has(first) };
  }
  const [keyword, format] = words.slice(-2);
  const hasFormat = keyword?.text === 'FORMAT' && keyword.depth === 0 && format?.kind === 'word';
  return {
    kind: 'read',
    head: hasFormat ? sql.slice(0, keyword.start) : head,
    format: hasFormat ? sql.slice(format.start, format.end) : null,
    streamable: first === 'SELECT' || first === 'WITH',
  };
}

function parseInsert(sql: string): Statement {
  let selects = false;
  let previous: Word | null = null;
  for (const word of codeWords(sql)) {
    if (word.depth === 0 && word.kind === 'word') {
      if (word.text === 'SELECT' || word.text === 'WITH' || word.text === 'INFILE') selects = true;
      if (word.text === 'VALUES' && !selects) return insertValues(sql, word);
      if (previous?.text === 'FORMAT' && !selects) {
        const format = sql.slice(word.start, word.end);
        return {
          kind: 'insert',
          head: sql.slice(0, previous.start),
          format,
          dataStart: dataStart(sql, word.end),
        };
      }
    }
    previous = word;
  }
  return { kind: 'command', head: sql.slice(0, previous?.end ?? 0), tail: '', takesSettings: true };
}

/** Data begin behind the format's name and the rest of its line, where that is blank. */
function dataStart(sql: string, formatEnd: number): number {
  return formatEnd + (/^[ \t]*\r?\n|^ /.exec(sql.slice(formatEnd, formatEnd + 64))?.[0].length ?? 0);
}

function insertValues(sql: string, values: Word): Statement {
  return {
    kind: 'command',
    head: sql.slice(0, values.start),
    tail: sql.slice(values.start),
    takesSettings: true,
  };
}

function firstWord(sql: string): string {
  for (const word of codeWords(sql)) return word.text;
  throw syntaxError('Empty query');
}

/** Tokens that count, words in upper case, without trailing semicolons. */
function* codeWords(sql: string): Generator<Word> {
  let depth = 0;
  let ended = false;
  for (const token of tokens(sql)) {
    if (token.kind === 'space' || token.kind === 'comment') continue;
    const raw = sql.slice(token.start, token.end);
    if (raw === ';') {
      ended = true;
      continue;
    }
    if (ended) throw syntaxError('Multi-statements are not allowed');
    if (raw === ')') depth--;
    yield { ...token, text: token.kind === 'word' ? raw.toUpperCase() : raw, depth };
    if (raw === '(') depth++;
  }
}

/** The read with its format and settings. Both stand behind the whole statement, a UNION's last part included. */
export function renderRead(head: string, format: string, settings: ReadonlyMap<string, string>): string {
  return `${head}\nFORMAT ${format}${settingsClause(settings)}`;
}

export function renderInsert(head: string, format: string, settings: ReadonlyMap<string, string>): string {
  return `${head}${settingsClause(settings)} FORMAT ${format}`;
}

export function renderCommand(
  { head, tail, takesSettings }: Extract<Statement, { kind: 'command' }>,
  settings: ReadonlyMap<string, string>,
): string {
  if (!takesSettings || settings.size === 0) return head + tail;
  // Behind FORMAT, the engine takes a CREATE's trailing settings for the statement's and not for the table's.
  if (tail === '' && firstWord(head) !== 'INSERT') return `${head}\nFORMAT Null${settingsClause(settings)}`;
  return `${head}${settingsClause(settings)} ${tail}`;
}

function settingsClause(settings: ReadonlyMap<string, string>): string {
  return settings.size === 0 ? '' : `\nSETTINGS ${settingsList(settings)}`;
}
