import { badParameter, missingParameter } from './engine-error.js';
import { stringLiteral } from './literals.js';
import { type Token, tokens } from './sql-lexer.js';

/**
 * Writes bound parameters into a statement. Every `{name: Type}` outside strings, quoted names and comments becomes
 * `_CAST('value', 'Type')`, as on a server, or a quoted name for `Identifier`. Any value is one quoted literal in the
 * statement, and the engine parses it as its type.
 *
 * The engine can bind parameters, but its binding runs such statements one at a time in the whole process.
 * `SET param_<name>` costs 0.2 ms of CPU per statement, and its values would stay in the session for later statements.
 *
 * @param params values in the form that clients send as `param_<name>`.
 * @throws EngineError 456 for a missing parameter, 457 for an integer out of range or a bad identifier.
 */
export function bindParams(sql: string, params: ReadonlyMap<string, string>): string {
  return placesOf(sql).bind(params);
}

/** A statement with the positions of its parameters, which are computed once per text. */
export interface BoundStatement {
  /** @throws EngineError as {@link bindParams}. */
  bind(params: ReadonlyMap<string, string>): string;
}

/** Finds the parameters of a statement. */
export function placesOf(sql: string): BoundStatement {
  if (!sql.includes('{')) return { bind: () => sql };
  const code = [...tokens(sql)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  const places: {
    readonly before: string;
    readonly placeholder: Placeholder;
  }[] = [];
  let copied = 0;
  for (let index = 0; index < code.length; index++) {
    const found = placeholderAt(sql, code, index);
    if (found === null) continue;
    places.push({ before: sql.slice(copied, (code[index] as Token).start), placeholder: found });
    copied = found.end;
    index = found.lastToken;
  }
  const rest = sql.slice(copied);
  return {
    bind: (params) =>
      places.reduce((text, { before, placeholder }) => text + before + literalOf(placeholder, params), '') +
      rest,
  };
}

interface Placeholder {
  readonly name: string;
  readonly type: string;
  readonly end: number;
  readonly lastToken: number;
}

/** `{`, a name, `:` and a type up to the closing brace. Any other brace is part of the statement. */
function placeholderAt(sql: string, code: readonly Token[], index: number): Placeholder | null {
  const textAt = (at: number) => {
    const token = code[at];
    return token === undefined ? '' : sql.slice(token.start, token.end);
  };
  if (textAt(index) !== '{' || code[index + 1]?.kind !== 'word' || textAt(index + 2) !== ':') return null;
  let last = index + 3;
  while (last < code.length && textAt(last) !== '}') last++;
  const close = code[last];
  if (close === undefined) return null;
  return {
    name: textAt(index + 1),
    type: code
      .slice(index + 3, last)
      .map(({ start, end }) => sql.slice(start, end))
      .join(''),
    end: close.end,
    lastToken: last,
  };
}

/** The value as a literal of its type. Clients send one escaped field of TabSeparated, or a list. */
function literalOf({ name, type }: Placeholder, params: ReadonlyMap<string, string>): string {
  const text = params.get(name);
  if (text === undefined) throw missingParameter(`Substitution \`${name}\` is not set`);
  if (type === 'Identifier') return identifier(name, text);
  const [, unsigned, bits] = INTEGER.exec(type) ?? [];
  // The engine's cast would wrap a number out of range.
  if (bits !== undefined && !isInteger(text, unsigned === 'U', Number(bits)))
    throw badParameter(`parameter ${name}: value is not a valid ${type}`);
  const castTo = stringLiteral(type);
  if (text === '\\N') return `_CAST(NULL, ${castTo})`;
  // The cast unescapes texts inside a list.
  return `_CAST(${stringLiteral(LIST.test(type) ? text : unescapeText(text))}, ${castTo})`;
}

const INTEGER = /^(U?)Int(8|16|32|64|128|256)$/;
const LIST = /^(?:Array|Tuple)\(/;

function isInteger(text: string, unsigned: boolean, bits: number): boolean {
  if (!/^-?\d{1,78}$/.test(text)) return false;
  const value = BigInt(text);
  return value === (unsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value));
}

function identifier(name: string, text: string): string {
  if (text === '' || text === '\\N')
    throw badParameter(`parameter ${name}: an identifier must be a non-empty text`);
  return `\`${stringLiteral(unescapeText(text)).slice(1, -1).replaceAll('`', '\\`')}\``;
}

const unescaped: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['r', '\r'],
  ['n', '\n'],
  ['t', '\t'],
  ['0', '\0'],
  ['a', '\x07'],
  ['v', '\v'],
]);

function unescapeText(text: string): string {
  return text.replace(/\\(x[0-9A-Fa-f]{2}|.)/gs, (_, code: string) =>
    code.length === 3
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (unescaped.get(code) ?? code),
  );
}
