import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { parseInput } from './input.js';
import { booleanParameter, clientIpParameter, integerParameter, maxRowsParameter } from './parameters.js';

const schema = z.object({
  hours: integerParameter({ min: 1, max: 8760, default: 24, description: 'd' }),
  max_rows: maxRowsParameter,
  is_bot: booleanParameter('d'),
  client_ip: clientIpParameter('d').optional(),
  type: z.enum(['all', 'bots']).default('all'),
  rules: z.array(z.object({ value: z.string() })).optional(),
});

describe('parseInput', () => {
  it('reads numbers, booleans and addresses from text, and fills defaults', () => {
    expect(
      parseInput(schema, { is_bot: 'YES', client_ip: '::ffff:192.0.2.7', max_rows: '3', unknown: 'x' }),
    ).toEqual({ hours: 24, is_bot: true, client_ip: '192.0.2.7', max_rows: 3, type: 'all' });
  });

  it.each([
    [{ hours: 'abc' }, 'hours: expected an integer, got "abc"'],
    [{ hours: '1.5' }, 'hours: expected an integer, got "1.5"'],
    [{ hours: '0' }, 'hours: expected at least 1, got "0"'],
    [{ hours: '9000' }, 'hours: expected at most 8760, got "9000"'],
    [{ is_bot: 'maybe' }, 'is_bot: expected true or false, got "maybe"'],
    [{ client_ip: 'x' }, 'client_ip: expected an IPv4 or IPv6 address, got "x"'],
    [{ type: 'x' }, 'type: expected one of all, bots, got "x"'],
    [{ rules: [{}] }, 'rules.0.value: required, expected string'],
    [{ type: 'x'.repeat(500) }, `type: expected one of all, bots, got "${'x'.repeat(59)}…`],
  ])('refuses %j and names the field, what was expected and what came', (raw, detail) => {
    expect(() => parseInput(schema, raw)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: detail }),
    );
  });
});
