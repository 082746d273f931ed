import { isIPv4, isIPv6 } from 'node:net';
import { badParameter } from './engine-error.js';
import { stringLiteral } from './literals.js';
import type { ParameterType } from './parameter-types.js';

/** A parameter's value as its text was read: NULL, a text (escapes undone), or a list. */
export type ParameterValue = null | string | readonly ParameterValue[];

/** Reads `param_…` as a ClickHouse server does: one escaped field of TabSeparated, lists in brackets. */
export function parseParameterValue(text: string, type: ParameterType): ParameterValue {
  if (hasList(type)) {
    const [value, end] = readList(text, 0);
    if (text.slice(end).trim() !== '') throw badParameter('a list parameter has text behind its end');
    return value;
  }
  return text === '\\N' ? null : unescapeText(text);
}

function hasList(type: ParameterType): boolean {
  return (
    type.kind === 'array' ||
    ((type.kind === 'nullable' || type.kind === 'lowCardinality') && hasList(type.inner))
  );
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

const BARE = /[^\s,'[\]]+/y;
const QUOTED = /'((?:[^'\\]|\\.|'')*)'/sy;
const BLANK = /\s*/y;

function readList(text: string, start: number): [ParameterValue[], number] {
  let position = skipBlank(text, start);
  if (text[position] !== '[') throw badParameter("a list parameter must look like [1,2] or ['a','b']");
  position = skipBlank(text, position + 1);
  const items: ParameterValue[] = [];
  if (text[position] === ']') return [items, position + 1];
  for (;;) {
    const [item, end] = readItem(text, position);
    items.push(item);
    position = skipBlank(text, end);
    const separator = text[position];
    position = skipBlank(text, position + 1);
    if (separator === ']') return [items, position];
    if (separator !== ',') throw badParameter('a list parameter is not closed');
  }
}

function readItem(text: string, position: number): [ParameterValue, number] {
  if (text[position] === '[') return readList(text, position);
  const quoted = matchAt(QUOTED, text, position);
  if (quoted !== null) {
    return [unescapeText((quoted[1] as string).replaceAll("''", "\\'")), position + quoted[0].length];
  }
  const bare = matchAt(BARE, text, position);
  if (bare === null) throw badParameter('a list parameter has an item that is neither a value nor a list');
  return [/^null$/i.test(bare[0]) ? null : bare[0], position + bare[0].length];
}

function skipBlank(text: string, position: number): number {
  return position + (matchAt(BLANK, text, position)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/**
 * A value as a SQL literal for a cast to `type`: scalars as quoted texts (an unquoted 128-bit integer would pass
 * through Float64), lists in brackets.
 * @throws EngineError where the value is none of the type's.
 */
export function valueLiteral(value: ParameterValue, type: ParameterType): string {
  if (type.kind === 'lowCardinality') return valueLiteral(value, type.inner);
  if (type.kind === 'nullable') return value === null ? 'NULL' : valueLiteral(value, type.inner);
  if (type.kind === 'array') {
    if (!Array.isArray(value)) throw badParameter('a list was expected');
    return `[${value.map((item) => valueLiteral(item, type.inner)).join(', ')}]`;
  }
  if (type.kind === 'identifier') throw badParameter('an identifier has no literal');
  if (typeof value !== 'string')
    throw badParameter(`${value === null ? 'NULL' : 'a list'} is no ${type.name}`);
  const normal = normalScalar(value, type.name, type.args);
  if (normal === null) throw badParameter(`value is no ${type.name}`);
  return stringLiteral(normal);
}

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}$/;
const DATE_TIME_64 = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const booleans: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['true', 'true'],
  ['0', 'false'],
  ['false', 'false'],
]);

/** The value in the form that the cast reads, or null: not of this type. */
function normalScalar(value: string, name: string, args: readonly (number | string)[]): string | null {
  const integer = /^(U?)Int(\d+)$/.exec(name);
  if (integer !== null) return normalInteger(value, integer[1] === 'U', BigInt(integer[2] as string));
  const accepted = (ok: boolean) => (ok ? value : null);
  switch (name) {
    case 'Float32':
    case 'Float64':
      return accepted(FLOAT.test(value) || /^[+-]?(?:inf|infinity|nan)$/i.test(value));
    case 'Decimal':
      return accepted(/^[+-]?\d{1,76}(?:\.\d{1,76})?$/.test(value));
    case 'Bool':
      return booleans.get(value.toLowerCase()) ?? null;
    case 'FixedString':
      return accepted(Buffer.byteLength(value) <= Number(args[0]));
    case 'Date':
    case 'Date32':
      return accepted(DATE.test(value));
    case 'DateTime':
      return accepted(DATE_TIME.test(value) || /^\d{10}$/.test(value));
    case 'DateTime64':
      return accepted(DATE_TIME_64.test(value) || /^\d{10}(?:\.\d{1,9})?$/.test(value));
    case 'UUID':
      return accepted(UUID.test(value));
    case 'IPv4':
      return accepted(isIPv4(value));
    case 'IPv6':
      return accepted(isIPv6(value) || isIPv4(value));
    default:
      return value;
  }
}

function normalInteger(text: string, unsigned: boolean, bits: bigint): string | null {
  if (!/^[+-]?\d{1,78}$/.test(text)) return null;
  const value = BigInt(text.replace(/^\+/, ''));
  const low = unsigned ? 0n : -(1n << (bits - 1n));
  const high = unsigned ? (1n << bits) - 1n : (1n << (bits - 1n)) - 1n;
  return value >= low && value <= high ? value.toString() : null;
}
