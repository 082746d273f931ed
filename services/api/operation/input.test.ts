import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { parseBody, parseInput } from './input.js';
import { booleanParameter, clientIpParameter, integerParameter, maxRowsParameter } from './parameters.js';

const schema = z.object({
  hours: integerParameter({ min: 1, max: 8760, default: 24, description: 'd' }),
  max_rows: maxRowsParameter,
  is_bot: booleanParameter('d'),
  client_ip: clientIpParameter('d').optional(),
  type: z.enum(['all', 'bots']).default('all'),
  rules: z
    .array(z.object({ value: z.string().min(1) }))
    .min(1)
    .optional(),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{3}$/, 'a colour as #rgb')
    .optional(),
  code: z
    .string()
    .regex(/^[A-Z]$/)
    .optional(),
  date: z.iso.date().optional(),
  minutes: z.int().multipleOf(5).optional(),
  either: z.union([z.string(), z.number()]).optional(),
});

describe('parseInput', () => {
  it('reads numbers, booleans and addresses from text, and fills defaults', () => {
    expect(
      parseInput(schema, { is_bot: 'YES', client_ip: '::ffff:192.0.2.7', max_rows: '3', unknown: 'x' }),
    ).toEqual({ hours: 24, is_bot: true, client_ip: '192.0.2.7', max_rows: 3, type: 'all' });
  });

  it.each([
    [{ hours: 'abc' }, 'hours: expected an integer, got "abc".'],
    [{ hours: '1.5' }, 'hours: expected an integer, got "1.5".'],
    [{ hours: '0' }, 'hours: expected at least 1, got "0".'],
    [{ hours: '9000' }, 'hours: expected at most 8760, got "9000".'],
    [{ is_bot: 'maybe' }, 'is_bot: expected true or false, got "maybe".'],
    [{ client_ip: 'x' }, 'client_ip: expected an IPv4 or IPv6 address, got "x".'],
    [{ type: 'x' }, 'type: expected one of all, bots, got "x".'],
    [{ rules: [{}] }, 'rules[0].value: expected a string, but it is missing.'],
    [{ type: 'x'.repeat(500) }, `type: expected one of all, bots, got "${'x'.repeat(59)}….`],
    [{ rules: [] }, 'rules: expected at least 1 entry, got [].'],
    [{ rules: 'x' }, 'rules: expected a list, got "x".'],
    [{ rules: [7] }, 'rules[0]: expected an object, got 7.'],
    [{ rules: [{ value: '' }] }, 'rules[0].value: expected at least 1 character, got "".'],
    [{ colour: 'red' }, 'colour: expected a colour as #rgb, got "red".'],
    [{ code: 'a' }, 'code: expected text that matches /^[A-Z]$/, got "a".'],
    [{ date: '2026-02-30' }, 'date: expected a date (YYYY-MM-DD), got "2026-02-30".'],
    [{ minutes: 7 }, 'minutes: expected a multiple of 5, got 7.'],
    [{ either: {} }, 'either: expected a value that matches the description of this call, got {}.'],
  ])('refuses %j with the field, the expected and the received value', (raw, detail) => {
    expect(() => parseInput(schema, raw)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: detail }),
    );
  });
});

describe('parseBody', () => {
  const body = z.object({
    name: z.string(),
    rules: z.array(z.object({ value: z.string() })).nullish(),
    notes: z.record(z.string(), z.string()).optional(),
  });

  it.each([
    [{ name: 'a', nme: 'b' }, 'nme: unknown field; expected one of name, rules, notes.'],
    // Names the misspelt field rather than the missing one.
    [{ nme: 'b' }, 'nme: unknown field; expected one of name, rules, notes.'],
    [
      { name: 'a', rules: [{ value: 'x' }, { value: 'x', kind: 1 }] },
      'rules[1].kind: unknown field; expected one of value.',
    ],
    [
      JSON.parse('{"name": "a", "__proto__": 1}'),
      '__proto__: unknown field; expected one of name, rules, notes.',
    ],
    [{ name: 'a', constructor: 1 }, 'constructor: unknown field; expected one of name, rules, notes.'],
    [
      { name: 'a', ['x'.repeat(90)]: 1 },
      `${'x'.repeat(60)}…: unknown field; expected one of name, rules, notes.`,
    ],
  ])('refuses %j, which has an unknown field', (raw, detail) => {
    expect(() => parseBody(body, raw)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: detail }),
    );
  });

  it('reports that a call takes no fields', () => {
    expect(() => parseBody(z.object({}), { a: 1 })).toThrow('a: unknown field; this call takes none.');
  });

  it('accepts the fields of the schema, including names of a map', () => {
    const sent = { name: 'a', rules: [{ value: 'x' }], notes: { anything: 'goes' } };
    expect(parseBody(body, sent)).toEqual(sent);
    expect(parseBody(body, { name: 'a', rules: null })).toEqual({ name: 'a', rules: null });
  });
});
