import { notImplemented, syntaxError } from './engine-error.js';
import { stringLiteral } from './literals.js';
import { settingsList } from './settings.js';
import { type Token, tokens } from './sql-lexer.js';

/** A statement with an answer; `head` is the statement without its trailing FORMAT. */
export interface ReadStatement {
  readonly kind: 'read';
  readonly head: string;
  readonly format: string | null;
}

/** An insert with rows in `format`: after `dataStart` in the text, or in the request's body. */
export interface InsertStatement {
  readonly kind: 'insert';
  /** The statement up to its own SETTINGS clause. */
  readonly head: string;
  /** The SETTINGS clause, or ''. */
  readonly settings: string;
  readonly format: string;
  readonly dataStart: number;
}

/** A statement that changes data or tables: DDL, INSERT … SELECT. */
export interface CommandStatement {
  readonly kind: 'command';
  readonly head: string;
  readonly takesSettings: boolean;
}

export type Statement = ReadStatement | InsertStatement | CommandStatement;

const reads = new Set([
  '(',
  'CHECK',
  'DESC',
  'DESCRIBE',
  'EXISTS',
  'EXPLAIN',
  'FROM',
  'SELECT',
  'SHOW',
  'VALUES',
  'WITH',
]);
/** First words of statements that change the shared session, or the engine, for later statements. */
const sticky = new Set([
  'ATTACH',
  'BACKUP',
  'BEGIN',
  'COMMIT',
  'DETACH',
  'EXECUTE',
  'RESTORE',
  'ROLLBACK',
  'SET',
  'USE',
]);
const withoutSettings = new Set(['GRANT', 'KILL', 'REVOKE', 'SYSTEM']);

interface Word extends Token {
  readonly text: string;
  /** Number of enclosing parentheses. */
  readonly depth: number;
}

/**
 * Classifies a statement and finds the parts that the front removes or adds. As on a server, a second statement is a
 * syntax error.
 */
export function parseStatement(sql: string): Statement {
  const first = firstWord(sql);
  if (sticky.has(first)) {
    throw notImplemented(`${first} would affect later requests, because the engine's sessions are shared`);
  }
  if (first === 'INSERT') return parseInsert(sql);
  const words = [...codeWords(sql)];
  const head = sql.slice(0, words.at(-1)?.end ?? 0);
  if (!reads.has(first)) return { kind: 'command', head, takesSettings: !withoutSettings.has(first) };
  const [keyword, format] = words.slice(-2);
  const hasFormat = keyword?.text === 'FORMAT' && keyword.depth === 0 && format?.kind === 'word';
  return {
    kind: 'read',
    head: hasFormat ? sql.slice(0, keyword.start) : head,
    format: hasFormat ? sql.slice(format.start, format.end) : null,
  };
}

function parseInsert(sql: string): InsertStatement | CommandStatement {
  let settings: Word | null = null;
  let previous: Word | null = null;
  for (const word of codeWords(sql)) {
    if (word.depth === 0 && word.kind === 'word') {
      if (word.text === 'SELECT' || word.text === 'WITH' || word.text === 'INFILE') break;
      if (word.text === 'SETTINGS') settings ??= word;
      if (previous?.text === 'FORMAT') return insertOf(sql, settings, previous, word);
      if (word.text === 'VALUES') return { ...insertOf(sql, settings, word, word), format: 'Values' };
    }
    previous = word;
  }
  const words = [...codeWords(sql)];
  return { kind: 'command', head: sql.slice(0, words.at(-1)?.end ?? 0), takesSettings: true };
}

function insertOf(sql: string, settings: Word | null, headEnd: Word, format: Word): InsertStatement {
  return {
    kind: 'insert',
    head: sql.slice(0, settings?.start ?? headEnd.start),
    settings: settings === null ? '' : sql.slice(settings.start, headEnd.start).trimEnd(),
    format: sql.slice(format.start, format.end),
    dataStart: dataStart(sql, format.end),
  };
}

/** Rows start after the format's name, and after the rest of its line if that is blank. */
function dataStart(sql: string, formatEnd: number): number {
  return formatEnd + (/^[ \t]*\r?\n|^ /.exec(sql.slice(formatEnd, formatEnd + 64))?.[0].length ?? 0);
}

function firstWord(sql: string): string {
  for (const word of codeWords(sql)) return word.text;
  throw syntaxError('Empty query');
}

/** Tokens without spaces, comments and trailing semicolons; words in upper case. */
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

/** Appends format and settings to a read, after the last part of a UNION. */
export function renderRead(head: string, format: string, settings: ReadonlyMap<string, string>): string {
  return `${head}\nFORMAT ${format}${settingsClause(settings)}`;
}

/** As renderRead, with the answer written to our file. */
export function renderReadToFile(
  head: string,
  format: string,
  settings: ReadonlyMap<string, string>,
  { path, compression }: { readonly path: string; readonly compression: string },
): string {
  return `${head}\nINTO OUTFILE ${stringLiteral(path)} COMPRESSION ${stringLiteral(compression)}\nFORMAT ${format}${settingsClause(settings)}`;
}

/** The insert with rows from our file. */
export function renderInsert(
  { head, settings: own, format }: Pick<InsertStatement, 'head' | 'settings' | 'format'>,
  path: string,
  settings: ReadonlyMap<string, string>,
): string {
  const clause =
    own === '' ? settingsClause(settings) : [own, settingsList(settings)].filter(Boolean).join(', ');
  return `${head}\nFROM INFILE ${stringLiteral(path)} COMPRESSION 'none' ${clause}\nFORMAT ${format}`;
}

export function renderCommand(
  { head, takesSettings }: CommandStatement,
  settings: ReadonlyMap<string, string>,
): string {
  if (!takesSettings || settings.size === 0) return head;
  if (firstWord(head) === 'INSERT') return `${head}${settingsClause(settings)}`;
  // A statement can have only one list of settings.
  if (firstWord(head) === 'ALTER' && hasSettings(head)) return `${head}, ${settingsList(settings)}`;
  // Settings after FORMAT belong to the statement. Without FORMAT, settings after a CREATE belong to the table.
  return `${head}\nFORMAT Null${settingsClause(settings)}`;
}

function hasSettings(head: string): boolean {
  return [...codeWords(head)].some(
    ({ kind, text, depth }) => kind === 'word' && text === 'SETTINGS' && depth === 0,
  );
}

function settingsClause(settings: ReadonlyMap<string, string>): string {
  return settings.size === 0 ? '' : `\nSETTINGS ${settingsList(settings)}`;
}
