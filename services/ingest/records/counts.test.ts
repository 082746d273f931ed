import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';
import { runs } from '../../../test/harness/runs.js';

/** Every record of an upload is in one count: accepted, rejected or skipped. */

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

const rotated = fc.tuple(fc.constantFrom(...records), fc.nat(5)).map(([record, by]) => {
  const entries = Object.entries(record);
  return JSON.stringify(Object.fromEntries([...entries.slice(by), ...entries.slice(0, by)]));
});

it('every record of an upload is in one count, whatever its form and the order of its keys', () => {
  fc.assert(
    fc.property(
      fc.array(rotated, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...forms),
      fc.integer({ min: 1, max: 400 }),
      (texts, write, chunkBytes) => {
        const { tally, refusal } = takeBody(Buffer.from(write(texts)), { chunkBytes });
        expect(refusal).toBeNull();
        expect(tally.parsed + tally.rejected + tally.skipped).toBe(texts.length);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
