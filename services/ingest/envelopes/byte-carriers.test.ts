import { expect, test } from 'vitest';
import { encodeOtlp } from '../../../test/harness/ingest/otlp.js';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/** A line is the same if its carrier sends it as bytes. */

const line = Buffer.from(
  '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /caf\xe9 HTTP/1.1" 200 5 "-" "sqlmap"',
  'latin1',
);
const record = Buffer.from(
  JSON.stringify({
    timestamp: 1771056930,
    client_ip: '198.51.100.7',
    method: 'GET',
    path: '/caf%E9',
    status: 200,
  }),
);
const otlp = (body: object) =>
  JSON.stringify({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '1771056930000000000', body }] }] }],
  });
const base64 = (bytes: Buffer) => ({ bytesValue: bytes.toString('base64') });

test.each([
  ['journald', Buffer.from(JSON.stringify({ MESSAGE: [...line], PRIORITY: '6' }))],
  ['a shipper of journald', Buffer.from(JSON.stringify([{ message: [...line] }]))],
  ['OTLP in JSON', Buffer.from(otlp(base64(line)))],
  ['OTLP in JSON, of a JSON record', Buffer.from(otlp(base64(record)))],
  [
    'OTLP in JSON, as fields',
    Buffer.from(otlp({ kvlistValue: { values: [{ key: 'message', value: base64(line) }] } })),
  ],
])('%s', (_, body) => {
  const { requests, tally } = takeBody(body);
  expect(requests.map((request) => request.target)).toEqual(['/caf%E9']);
  expect(tally.rejected).toBe(0);
});

test('OTLP in protobuf', () => {
  const { requests } = takeBody(encodeOtlp([{ body: line }]), {
    upload: { headers: { 'content-type': 'application/x-protobuf' }, query: new URLSearchParams() },
  });
  expect(requests.map((request) => request.target)).toEqual(['/caf%E9']);
});

test.each([[[256]], [[-1]], [[1.5]], [['a']], [[null]], [[]]])('a list of %j is not text', (message) => {
  expect(takeBody(Buffer.from(JSON.stringify({ MESSAGE: message }))).tally.rejected).toBe(1);
});
