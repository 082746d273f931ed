import { notImplemented, syntaxError } from './engine-error.js';
import { stringLiteral } from './literals.js';
import { settingsList } from './settings.js';
import { type Token, tokens } from './sql-lexer.js';

/** Has an answer; `head` lacks its trailing FORMAT. */
export interface ReadStatement {
  readonly kind: 'read';
  readonly head: string;
  readonly format: string | null;
}

/** Rows in `format` come behind it: from `dataStart` in the text, or in the request's body. */
export interface InsertStatement {
  readonly kind: 'insert';
  /** Up to its own SETTINGS clause. */
  readonly head: string;
  /** That clause, or ''. */
  readonly settings: string;
  readonly format: string;
  readonly dataStart: number;
}

/** Changes something: DDL, INSERT … SELECT. */
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
/** Would change the shared session, or the engine, for every later statement. */
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
  /** Parentheses it stands in. */
  readonly depth: number;
}

/**
 * Sorts a statement and finds what the front must cut or add. One statement only: as on a server, a second one is
 * a syntax error.
 */
export function parseStatement(sql: string): Statement {
  const first = firstWord(sql);
  if (sticky.has(first)) {
    throw notImplemented(`${first} would outlive its request, and the engine's sessions are shared`);
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

/** Rows begin behind the format's name and the rest of its line, where that is blank. */
function dataStart(sql: string, formatEnd: number): number {
  return formatEnd + (/^[ \t]*\r?\n|^ /.exec(sql.slice(formatEnd, formatEnd + 64))?.[0].length ?? 0);
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

/** The same, with the answer written to a file of ours. */
export function renderReadToFile(
  head: string,
  format: string,
  settings: ReadonlyMap<string, string>,
  { path, compression }: { readonly path: string; readonly compression: string },
): string {
  return `${head}\nINTO OUTFILE ${stringLiteral(path)} COMPRESSION ${stringLiteral(compression)}\nFORMAT ${format}${settingsClause(settings)}`;
}

/** The insert with its rows read from a file of ours. */
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
  // A list of settings may stand once.
  if (firstWord(head) === 'ALTER' && hasSettings(head)) return `${head}, ${settingsList(settings)}`;
  // Behind FORMAT, the engine takes a CREATE's trailing settings for the statement's and not for the table's.
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
