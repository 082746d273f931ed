import { expect, it } from 'vitest';
import { z } from 'zod';
import { createRowDecoder } from './decode-rows.js';

const meta = (...names: string[]) => names.map((name) => ({ name }));

/** Each schema also parses the objects itself, for comparison. */
it.each([
  ['plain columns', z.object({ b: z.number(), a: z.string(), c: z.boolean() }), ['x', 1, true]],
  ['a column that the schema lacks', z.object({ a: z.string() }), ['x', 1, true]],
  ['a nullable column', z.object({ a: z.string().nullable(), b: z.number().nullable() }), [null, 1, true]],
  ['a changed value', z.object({ b: z.number().transform((value) => [value]) }), ['x', 1, true]],
  [
    'a changed null',
    z.object({
      b: z
        .number()
        .nullable()
        .transform((value) => value ?? -1),
    }),
    ['x', null, 0],
  ],
  ['a coerced value', z.object({ b: z.coerce.string() }), ['x', 1, true]],
  ['a value with a default', z.object({ d: z.string().default('none') }), ['x', 1, true]],
  ['a list', z.object({ a: z.array(z.tuple([z.string(), z.number()])) }), [[['x', 1]], 2, true]],
  ['a changed row', z.object({ a: z.string() }).transform(({ a }) => [a]), ['x', 1, true]],
  ['a row with further fields', z.looseObject({ a: z.string() }), ['x', 1, true]],
  ['no object', z.unknown(), ['x', 1, true]],
])('decodes %s as the schema does', (_, row, values) => {
  const [a, b, c] = values;
  const expected = JSON.stringify(row.parse({ a, b, c }));
  const decoded = createRowDecoder(meta('a', 'b', 'c'), row as z.ZodType)([values, values]);
  expect(decoded.map((one) => JSON.stringify(one))).toEqual([expected, expected]);
});

it.each([
  ['a text for a number', z.object({ a: z.number() }), ['1']],
  ['null', z.object({ a: z.string() }), [null]],
  ['a fraction for a whole number', z.object({ a: z.int() }), [1.5]],
  ['a text in another format', z.object({ a: z.email() }), ['x']],
  ['a text that is too short', z.object({ a: z.string().min(2) }), ['x']],
  ['a missing column', z.object({ a: z.string(), b: z.string() }), ['x']],
  ['a column that a strict schema lacks', z.strictObject({}), ['x']],
  ['a row that breaks a rule', z.object({ a: z.string() }).refine(({ a }) => a !== 'x'), ['x']],
])('refuses %s, with the error of the whole row', (_, row, values) => {
  const expected = row.safeParse({ a: values[0] }).error!;
  expect(() => createRowDecoder(meta('a'), row as z.ZodType)([values])).toThrow(expected);
});
