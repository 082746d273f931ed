import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';
import { runs } from '../../../test/harness/runs.js';

/** Every record of an upload is in one count: accepted, rejected or skipped. The parts of one line are one record. */

const request = {
  timestamp: '2026-02-14T08:15:30Z',
  client_ip: '198.51.100.7',
  method: 'GET',
  path: '/a',
  status: 200,
};
const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 5 "-" "a"';

const records: readonly Record<string, unknown>[] = [
  request,
  { ...request, client_ip: 'nobody' },
  { ...request, logs: [request, request] },
  { ...request, info: request },
  { ...request, event: { original: 'x' }, data: [1, 2] },
  { info: request },
  { record: { log: line } },
  { message: line },
  { message: '' },
  { message: '\n' },
  { log: `${line}\n`, stream: 'stdout' },
  { data: '' },
  { data: Buffer.from(line).toString('base64') },
  { message: { data: '' }, subscription: 's' },
  { message: { data: Buffer.from(line).toString('base64') }, subscription: 's' },
  { timeUnixNano: '1771056930000000000', body: { stringValue: line } },
  { timeUnixNano: '1771056930000000000', body: { stringValue: '' } },
  { a: 1 },
  {},
  { content: 'other' },
  { time: 1, event: line },
  { time: 1, event: 5 },
  { short_message: line, version: '1.1' },
  { MESSAGE: [...Buffer.from(line)] },
];

type Records = readonly Record<string, unknown>[];

const beginning = line.slice(0, 70);
const end = line.slice(70);
/** As long as Docker's buffer, in bytes. */
const full = line.replace('GET /', `GET /${'a'.repeat(16_384 - line.length)}`);

/** Records that are the parts of one line, in a separate stream. */
const lines: readonly ((stream: string) => Records)[] = [
  (tag) => [
    { logtag: 'P', log: beginning, tag },
    { logtag: 'F', log: end, tag },
  ],
  (tag) => [
    { _p: 'P', message: 'x', tag },
    { _p: 'P', message: '', tag },
    { _p: 'F', message: 'y', tag },
  ],
  (tag) => [
    { log: `2026-02-14T08:15:30.1Z stdout P ${beginning}`, tag },
    { log: `2026-02-14T08:15:30.1Z stdout F ${end}`, tag },
  ],
  (tag) => [
    { partial_message: 'true', partial_id: tag, partial_ordinal: '1', partial_last: 'false', log: beginning },
    { partial_message: 'true', partial_id: tag, partial_ordinal: '2', partial_last: 'true', log: end },
  ],
  (tag) => [
    { _partial: true, message: '\n', tag },
    { message: '\n', tag },
  ],
  (tag) => [
    { log: full, tag },
    { log: 'x\n', tag },
  ],
  // Without the other parts.
  (tag) => [{ log: full, tag }],
  (tag) => [{ _partial: true, message: beginning, tag }],
  (tag) => [{ logtag: 'F', log: line, tag }],
  (tag) => [
    { partial_message: 'true', partial_id: tag, partial_ordinal: '2', partial_last: 'true', log: line },
  ],
  // Longer than the limit of a line.
  (tag) => [
    ...Array.from({ length: 17 }, () => ({ _partial: true, message: full, tag })),
    { message: end, tag },
  ],
];

const forms: readonly ((texts: readonly string[]) => string)[] = [
  (texts) => texts.join('\n'),
  (texts) => texts.map((text) => `${text},\r\n`).join(''),
  (texts) => texts.join(''),
  (texts) => texts.map((text) => `\x1e${text}\n`).join('\0\0'),
  (texts) => `[${texts.join(',')}]`,
  (texts) => `[\n${texts.join(',\n')}\n]`,
  (texts) => `{"records":[${texts.join(',')}]}`,
  (texts) => `{"records":[${texts.join(',\n')}],"time":1}`,
  (texts) => `{"time":1,"batch":{"a":[1]},"events":[${texts.join(', ')}]}`,
  (texts) => texts.map((text) => `{"data":[${text}]}`).join('\n'),
  (texts) => texts.map((text) => `<134>Feb 14 08:15:30 host app: ${text}`).join('\n'),
];

function rotate(record: Record<string, unknown>, by: number): string {
  const entries = Object.entries(record);
  return JSON.stringify(Object.fromEntries([...entries.slice(by), ...entries.slice(0, by)]));
}

const units = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...records.map((record) => () => [record])) },
    { weight: 1, arbitrary: fc.constantFrom(...lines) },
  ),
  { minLength: 1, maxLength: 8 },
);

it('every record of an upload is in one count, for each form and order of keys', () => {
  fc.assert(
    fc.property(
      units,
      fc.nat(5),
      fc.constantFrom(...forms),
      fc.integer({ min: 1, max: 400 }),
      (makers, by, write, chunkBytes) => {
        const texts = makers.flatMap((make, at) => make(`s${at}`).map((record) => rotate(record, by)));
        const { tally, refusal } = takeBody(Buffer.from(write(texts)), { chunkBytes });
        expect(refusal).toBeNull();
        expect(tally.parsed + tally.rejected + tally.skipped).toBe(makers.length);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
