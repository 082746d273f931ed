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
  if (!sql.includes('{')) return sql;
  const code = [...tokens(sql)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  let bound = '';
  let copied = 0;
  for (let index = 0; index < code.length; index++) {
    const found = placeholderAt(sql, code, index);
    if (found === null) continue;
    bound += sql.slice(copied, (code[index] as Token).start) + bindOne(found, params);
    copied = found.end;
    index = found.lastToken;
  }
  return bound + sql.slice(copied);
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

function bindOne({ name, type: typeText }: Placeholder, params: ReadonlyMap<string, string>): string {
  const text = params.get(name);
  if (text === undefined) throw missingParameter(`Substitution \`${name}\` is not set`);
  try {
    const type = parseParameterType(typeText);
    if (type.kind === 'identifier') return identifier(text, type);
    const literal = valueLiteral(parseParameterValue(text, type), type);
    return `_CAST(${literal}, ${stringLiteral(typeName(type))})`;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw badParameter(`parameter ${name}: ${error.reason}`);
  }
}

function identifier(text: string, type: ParameterType): string {
  const name = parseParameterValue(text, type);
  if (typeof name !== 'string' || name === '') throw badParameter('an identifier must be a non-empty text');
  return `\`${stringLiteral(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}
