import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { createBodySplitter } from './split-body.js';

/** The output for a body in chunks of this size. A record that arrives byte by byte is never a plain one. */
function split(body: Buffer, chunkBytes: number, maxLineBytes = 400): string[] {
  const taken: string[] = [];
  const splitter = createBodySplitter(
    { maxLineBytes, shape: null },
    {
      onRecord: (record, number) => taken.push(`${number} ${JSON.stringify(record)}`),
      onLine: (line, number) => taken.push(`${number} line ${line}`),
      onInvalid: (number, reason) => taken.push(`${number} ${reason}`),
    },
  );
  for (let at = 0; at < body.length; at += chunkBytes) splitter.onChunk(body.subarray(at, at + chunkBytes));
  splitter.onEnd();
  return taken;
}

const records = fc.oneof(
  { weight: 4, arbitrary: fc.json({ maxDepth: 2 }).map((value) => `{"a":${value}}`) },
  fc.constantFrom(
    '{}',
    '{"event":{"a":1}}',
    '{"a":"},{"}',
    '{"a":"\\"},{"}',
    '{"a":[{"b":1},{"b":2}]}',
    '{"é":"€"}',
  ),
  fc.constantFrom(
    '{"a":\n1}',
    '{\n{"a":1}',
    '{"a":1',
    '{"a":1}}',
    '{"a":"1}',
    '"a"',
    '1',
    '[{"a":1}]',
    '{a}',
    '{"__proto__":{}}',
  ),
  fc.constant(`{"a":"${'x'.repeat(500)}"}`),
);
const openings = fc.constantFrom(
  '[',
  '[\n',
  '{"events":[',
  '{"requestId":"a","records":[',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
);
const separators = fc.constantFrom(',', ',', ',', ',\n', ' , ', '\n', '', ' ', '}', ']', ',,', '\\');
const bodies = fc
  .tuple(
    openings,
    fc.array(fc.tuple(records, separators), { minLength: 1, maxLength: 12 }),
    fc.constantFrom(']', ']}', '', '\n]'),
  )
  .map(([opening, items, end]) => opening + items.flat().join('') + end);

it('gives the same records as counting brackets', () => {
  fc.assert(
    fc.property(bodies, fc.integer({ min: 20, max: 200 }), (text, chunkBytes) => {
      const body = Buffer.from(text);
      const expected = split(body, 1);
      expect(split(body, body.length)).toEqual(expected);
      expect(split(body, chunkBytes)).toEqual(expected);
    }),
    { numRuns: runs(2_000) },
  );
});

it('reads bytes that are not UTF-8 as halves of pairs', () => {
  const body = Buffer.from('[{"a":"\xc3\xa9"},{"a":"\xff"},{"a":"\xc3"}]', 'latin1');
  expect(split(body, body.length)).toEqual(['1 {"a":"é"}', '2 {"a":"\\udcff"}', '3 {"a":"\\udcc3"}']);
});

it('takes linear time if every guess of a record’s end is wrong', () => {
  const body = Buffer.from(`[${'{}'.repeat(400_000)},{"a":1}]`);
  expect(split(body, body.length, 2 ** 20)).toHaveLength(400_001);
});
