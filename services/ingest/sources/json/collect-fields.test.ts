import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import type { JsonRecord } from '../util/source.js';
import { createFieldCollector } from './collect-fields.js';

const keys = fc.constantFrom(
  ...[
    'remote_addr',
    'ip',
    'status',
    'Status',
    'request',
    'req',
    'http',
    'method',
    'url',
    'path',
    'time',
    'date',
  ],
  ...['constructor', '__proto__', '', '-', 'x'.repeat(65), '0', 'other'],
);
const values = fc.oneof(
  fc.constantFrom('', '-', 'GET', '/a', null, true),
  fc.integer(),
  fc.array(fc.string(), { maxLength: 2 }),
);
const pairs = (inner: fc.Arbitrary<unknown>) => fc.array(fc.tuple(keys, inner), { maxLength: 8 });
const toRecord = (some: readonly (readonly [string, unknown])[]): JsonRecord => Object.fromEntries(some);
const records = pairs(fc.oneof(values, pairs(values).map(toRecord))).map(toRecord);

it('finds the same fields in a record after any other records', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 2, maxLength: 8 }), (some) => {
      const collect = createFieldCollector();
      for (const record of some) expect(collect(record)).toEqual(createFieldCollector()(record));
    }),
    { numRuns: runs(500) },
  );
});

it('takes the most specific name that has a value, in any order', () => {
  const collect = createFieldCollector();
  expect(collect({ ip: '192.0.2.1', remote_addr: '192.0.2.2' }).client.text).toBe('192.0.2.2');
  expect(collect({ remote_addr: '192.0.2.2', ip: '192.0.2.1' }).client.text).toBe('192.0.2.2');
  expect(collect({ remote_addr: '-', ip: '192.0.2.1' }).client.text).toBe('192.0.2.1');
  expect(collect({ other: 1 }).client).toEqual({ known: null, text: '' });
});

it.each(['X_Forwarded_For', 'x.forwarded.for', 'XForwardedFor', 'X-Forwarded_For', 'x-forwarded-for '])(
  'a header of a client is no other header, in any order: %s',
  (header) => {
    const honest = { 'X-Forwarded-For': '203.0.113.9' };
    for (const headers of [
      { [header]: '66.249.66.1', ...honest },
      { ...honest, [header]: '66.249.66.1' },
    ]) {
      const nested = [{ headers }, { req: { headers } }, { http: { request: { headers } } }];
      for (const record of nested) {
        expect(createFieldCollector()(record).forwarded.text).toBe('203.0.113.9');
      }
      const written = Object.entries(headers).map(([name, value]) => [`http.request.header.${name}`, value]);
      expect(createFieldCollector()(Object.fromEntries(written)).forwarded.text).toBe('203.0.113.9');
    }
  },
);
