import { badParameter, EngineError, missingParameter } from './engine-error.js';
import { stringLiteral } from './literals.js';
import { type ParameterType, parseParameterType, typeName } from './parameter-types.js';
import { parseParameterValue, valueLiteral } from './parameter-values.js';
import { type Token, tokens } from './sql-lexer.js';

/**
 * Puts bound parameters into a statement: every `{name: Type}` outside strings, quoted names and comments becomes
 * `_CAST('value', 'Type')`, as a server writes it, or a quoted name for `Identifier`. The engine could bind by
 * itself, but runs such statements one at a time in the whole process. A value is read as its type, checked, and
 * written as one quoted literal: whatever it holds, it stays a value.
 *
 * @param params values in the form that clients send as `param_<name>`.
 * @throws EngineError 456 for a missing parameter, 457 for a value that is none of its type.
 */
export function bindParams(sql: string, params: ReadonlyMap<string, string>): string {
  return placesOf(sql).bind(params);
}

/** A statement whose places for parameters are known: what its text alone decides is worked out once. */
export interface BoundStatement {
  /** @throws EngineError as {@link bindParams}. */
  bind(params: ReadonlyMap<string, string>): string;
}

/** Finds the places of a statement's parameters. Types are read when they are bound: a bad one blames its parameter. */
export function placesOf(sql: string): BoundStatement {
  if (!sql.includes('{')) return { bind: () => sql };
  const code = [...tokens(sql)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  const places: {
    readonly before: string;
    readonly write: (params: ReadonlyMap<string, string>) => string;
  }[] = [];
  let copied = 0;
  for (let index = 0; index < code.length; index++) {
    const found = placeholderAt(sql, code, index);
    if (found === null) continue;
    places.push({ before: sql.slice(copied, (code[index] as Token).start), write: writerOf(found) });
    copied = found.end;
    index = found.lastToken;
  }
  const rest = sql.slice(copied);
  return {
    bind: (params) => places.reduce((text, { before, write }) => text + before + write(params), '') + rest,
  };
}

interface Placeholder {
  readonly name: string;
  readonly type: string;
  readonly end: number;
  readonly lastToken: number;
}

/** `{`, a name, `:`, a type up to the closing brace; any other brace is the statement's own. */
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

/** Writes the value of one place; its type is parsed with the first. */
function writerOf({ name, type: typeText }: Placeholder): (params: ReadonlyMap<string, string>) => string {
  let type: ParameterType | undefined;
  let castTo = '';
  return (params) => {
    const text = params.get(name);
    if (text === undefined) throw missingParameter(`Substitution \`${name}\` is not set`);
    try {
      if (type === undefined) {
        const parsed = parseParameterType(typeText);
        castTo = stringLiteral(typeName(parsed));
        type = parsed;
      }
      if (type.kind === 'identifier') return identifier(text, type);
      return `_CAST(${valueLiteral(parseParameterValue(text, type), type)}, ${castTo})`;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw badParameter(`parameter ${name}: ${error.reason}`);
    }
  };
}

function identifier(text: string, type: ParameterType): string {
  const name = parseParameterValue(text, type);
  if (typeof name !== 'string' || name === '') throw badParameter('an identifier must be a non-empty text');
  return `\`${stringLiteral(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}
