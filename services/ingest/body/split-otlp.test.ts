import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PublicError } from '../../../shared/errors.js';
import { encodeOtlp } from '../../../test/harness/ingest/otlp.js';
import { runs } from '../../../test/harness/runs.js';
import { createOtlpSplitter } from './split-otlp.js';

function split(body: Buffer, sizes: readonly number[] = [body.length + 1], most = 10_000) {
  const records: unknown[] = [];
  const invalid: [number, string][] = [];
  const splitter = createOtlpSplitter(most, {
    onRecord: (record) => void records.push(JSON.parse(JSON.stringify(record))),
    onInvalid: (number, reason) => void invalid.push([number, reason]),
  });
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    splitter.onChunk(body.subarray(at, at + size));
    at += size;
  }
  splitter.onEnd();
  return { records, invalid };
}

it('gives the same log records for any chunks', () => {
  const record = fc.record(
    {
      timeUnixNano: fc.bigInt(1n, 2n ** 63n - 1n),
      body: fc.string(),
      attributes: fc.array(fc.tuple(fc.string(), fc.oneof(fc.string(), fc.nat())), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
      (records, sizes) => {
        const body = encodeOtlp(records);
        const whole = split(body);
        expect(whole.invalid).toEqual([]);
        expect(whole.records).toEqual(
          records.map(({ timeUnixNano, body: text, attributes = [] }) => ({
            ...(timeUnixNano === undefined ? {} : { timeUnixNano: Number(timeUnixNano) }),
            ...(text === undefined
              ? {}
              : { body: text === '' ? { stringValue: '' } : { stringValue: text } }),
            attributes: attributes.map(([key, value]) => ({
              key,
              value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
            })),
          })),
        );
        expect(split(body, sizes)).toEqual(whole);
      },
    ),
  );
});

it('leaves out a record that is too long, and takes its neighbours', () => {
  const body = encodeOtlp([{ body: 'a' }, { body: 'b'.repeat(300) }, { body: 'c' }]);
  const { records, invalid } = split(body, [7], 200);
  expect(records).toMatchObject([{ body: { stringValue: 'a' } }, { body: { stringValue: 'c' } }]);
  expect(invalid).toEqual([[2, 'longer than 200 bytes']]);
});

it('refuses bytes that are not such a message, and never hangs or throws another error', () => {
  const whole = encodeOtlp([{ timeUnixNano: 5n, body: 'x', attributes: [['a', 1]] }, { body: 'y' }]);
  expect(() => split(whole.subarray(0, -1))).toThrow(PublicError);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc
          .tuple(fc.nat(whole.length - 1), fc.nat(255))
          .map(([at, byte]) => whole.map((old, place) => (place === at ? byte : old))),
      ),
      (bytes) => {
        try {
          split(Buffer.from(bytes), [3]);
        } catch (error) {
          expect(error).toBeInstanceOf(PublicError);
        }
      },
    ),
    { numRuns: runs(2_000) },
  );
});
