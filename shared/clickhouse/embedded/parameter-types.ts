import { badParameter } from './engine-error.js';
import { stringLiteral } from './literals.js';

/**
 * The types that a bound parameter may have. A type is parsed and written anew from its parsed form, so that
 * nothing of the statement's own text reaches the cast unread.
 */
export type ParameterType =
  | { readonly kind: 'scalar'; readonly name: string; readonly args: readonly (number | string)[] }
  | { readonly kind: 'identifier' }
  | { readonly kind: 'array'; readonly inner: ParameterType }
  | { readonly kind: 'nullable'; readonly inner: ParameterType }
  | { readonly kind: 'lowCardinality'; readonly inner: ParameterType };

type ArgumentShape = readonly ('count' | 'timeZone')[];

/** Scalar types by name, with the arguments that each may take (missing ones at the end are allowed). */
const scalars: Record<string, ArgumentShape> = {
  ...Object.fromEntries(
    [8, 16, 32, 64, 128, 256].flatMap((bits) => [
      [`Int${bits}`, []],
      [`UInt${bits}`, []],
    ]),
  ),
  Float32: [],
  Float64: [],
  Decimal: ['count', 'count'],
  Bool: [],
  String: [],
  FixedString: ['count'],
  Date: [],
  Date32: [],
  DateTime: ['timeZone'],
  DateTime64: ['count', 'timeZone'],
  UUID: [],
  IPv4: [],
  IPv6: [],
};

const wrappers: Record<string, 'array' | 'nullable' | 'lowCardinality'> = {
  Array: 'array',
  Nullable: 'nullable',
  LowCardinality: 'lowCardinality',
};

const SHAPE = /^\s*([A-Za-z][A-Za-z0-9]*)\s*(?:\((.*)\))?\s*$/s;
const TIME_ZONE = /^'([A-Za-z0-9_+\-/]{1,64})'$/;

/** @throws EngineError where the type is malformed or none of ours. */
export function parseParameterType(text: string): ParameterType {
  const [, name = '', inside] = SHAPE.exec(text) ?? [];
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper !== undefined && inside !== undefined) {
    return { kind: wrapper, inner: parseParameterType(inside) };
  }
  if (name === 'Identifier' && inside === undefined) return { kind: 'identifier' };
  const shape = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
  if (shape === undefined) throw badParameter(`parameters of type ${text.trim()} are not supported`);
  const given = inside === undefined ? [] : inside.split(',').map((argument) => argument.trim());
  if (given.length > shape.length) throw badParameter(`type ${text.trim()} has too many arguments`);
  const args = given.map((argument, index) => parseArgument(argument, shape[index], text));
  return { kind: 'scalar', name, args };
}

function parseArgument(argument: string, shape: 'count' | 'timeZone' | undefined, type: string) {
  if (shape === 'count' && /^\d{1,6}$/.test(argument)) return Number(argument);
  const zone = TIME_ZONE.exec(argument)?.[1];
  if (shape === 'timeZone' && zone !== undefined) return zone;
  throw badParameter(`type ${type.trim()} has a bad argument`);
}

/** The type's name in ClickHouse's own spelling. */
export function typeName(type: ParameterType): string {
  switch (type.kind) {
    case 'array':
      return `Array(${typeName(type.inner)})`;
    case 'nullable':
      return `Nullable(${typeName(type.inner)})`;
    case 'lowCardinality':
      return `LowCardinality(${typeName(type.inner)})`;
    case 'identifier':
      return 'Identifier';
    case 'scalar': {
      const args = type.args.map((argument) =>
        typeof argument === 'string' ? stringLiteral(argument) : argument,
      );
      return args.length === 0 ? type.name : `${type.name}(${args.join(', ')})`;
    }
  }
}
