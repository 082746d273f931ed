import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBodySplitter } from './split-body.js';

function split(body: string, sizes: readonly number[] = [body.length + 1], maxLineBytes = 400) {
  const records: unknown[] = [];
  const invalid: [number, string][] = [];
  const splitter = createBodySplitter(
    { maxLineBytes, shape: null },
    {
      onRecord: (record) => void records.push(record),
      onLine: (line) => void invalid.push([0, line]),
      onInvalid: (number, reason) => void invalid.push([number, reason]),
    },
  );
  const bytes = Buffer.from(body);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    splitter.onChunk(bytes.subarray(at, at + size));
    at += size;
  }
  splitter.onEnd();
  return { records, invalid };
}

const value = fc.record({
  a: fc.string({ unit: 'binary', maxLength: 12 }),
  b: fc.array(fc.constantFrom('logRecords', ']', '"', '{[', '\\'), { maxLength: 3 }),
});
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const space = fc.constantFrom(0, 2);

it('takes the log records of every scope of every resource out of OTLP in JSON', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      sizes,
      space,
      (resources, cuts, indent) => {
        const body = JSON.stringify(
          {
            resourceLogs: resources.map((scopes) => ({
              resource: { attributes: [{ key: 'logRecords', value: { stringValue: '"logRecords":[{}]' } }] },
              scopeLogs: scopes.map((logRecords) => ({ scope: {}, logRecords, schemaUrl: '' })),
            })),
          },
          null,
          indent,
        );
        const expected = { records: resources.flat(2), invalid: [] };
        expect(split(body)).toEqual(expected);
        expect(split(body, cuts)).toEqual(expected);
      },
    ),
  );
});

it("takes the records of Firehose's envelope, which come behind its id and time", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), sizes, space, (records, cuts, indent) => {
      const envelope = {
        requestId: 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
        timestamp: 1578090901599,
        records,
      };
      const body = JSON.stringify(envelope, null, indent);
      expect(split(body)).toEqual({ records, invalid: [] });
      expect(split(body, cuts)).toEqual({ records, invalid: [] });
    }),
  );
});

it('rejects only the record that is too long, not an object, or cut off by the end of the body', () => {
  const start = '{"requestId":"1","timestamp":1,"records":[{"a":1},';
  expect(split(`${start}{"a":"${'x'.repeat(500)}"},{"a":2}]}`)).toEqual({
    records: [{ a: 1 }, { a: 2 }],
    invalid: [[2, 'longer than 400 bytes']],
  });
  expect(split(`${start}{"a":oops},{"a":2}]}`)).toEqual({
    records: [{ a: 1 }, { a: 2 }],
    invalid: [[2, 'not valid JSON']],
  });
  expect(split(`${start}{"a":`)).toEqual({
    records: [{ a: 1 }],
    invalid: [[2, 'not valid JSON: the body ends inside a list of records']],
  });
});
