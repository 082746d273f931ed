import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeRawBlock, encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { plainUpload } from '../../../test/harness/ingest/take-body.js';
import { runs } from '../../../test/harness/runs.js';
import { plainRequest } from '../../enricher/sink/plain-request.js';
import { sources } from '../sources/all-sources.js';
import { combined } from '../sources/combined/combined.js';
import { LONGEST_FREE_TEXT } from '../sources/util/request-limits.js';
import { acceptedTimes } from './accepted-times.js';
import { validateRequest } from './validate-request.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;
const TIMES = acceptedTimes(NOW, 30);
const request = plainRequest({
  timestamp: NOW,
  host: 'example.com',
  protocol: 'HTTP/2',
  bytes_sent: 1,
  time_taken_ms: 5,
  user_agent: 'agent',
});

it.each([
  ['timestamp', { timestamp: Number.NaN }],
  ['timestamp', { timestamp: NOW + DAY + 1 }],
  ['timestamp', { timestamp: NOW + 0.5 }],
  ['timestamp', { timestamp: NOW - 30 * DAY - 1 }],
  ['timestamp', { timestamp: 5 }],
  ['client_ip', { client_ip: 'example.com' }],
  ['client_ip', { client_ip: '' }],
  ['status', { status: -1 }],
  ['status', { status: 1_000 }],
  ['status', { status: 200.5 }],
  ['status', { status: Number.NaN }],
  ['bytes_sent', { bytes_sent: -1 }],
  ['bytes_sent', { bytes_sent: 1.5 }],
  ['bytes_sent', { bytes_sent: 2 ** 50 + 1 }],
  ['bytes_sent', { bytes_sent: Number.MAX_SAFE_INTEGER }],
  ['bytes_sent', { bytes_sent: 1e308 }],
])('rejects a bad %s by its name: %j', (field, change) => {
  expect(validateRequest({ ...request, ...change }, TIMES)).toEqual({
    reject: expect.stringMatching(new RegExp(`^${field}: `)),
  });
});

it.each([
  [{ timestamp: NOW + DAY }],
  [{ timestamp: NOW - 30 * DAY }],
  [{ status: 0 }],
  [{ status: 999 }],
  [{ bytes_sent: 0 }],
  [{ bytes_sent: 2 ** 50 }],
  [{ time_taken_ms: null }],
])('passes the edge %j untouched', (change) => {
  const edge = { ...request, ...change };
  expect(validateRequest(edge, TIMES)).toBe(edge);
});

it('cuts long texts and keeps the request, without splitting a character', () => {
  const long = `${'a'.repeat(LONGEST_FREE_TEXT - 1)}😀${'b'.repeat(9)}`;
  expect(
    validateRequest({ ...request, target: long, user_agent: long, time_taken_ms: 2 ** 31 }, TIMES),
  ).toEqual({
    ...request,
    target: 'a'.repeat(LONGEST_FREE_TEXT - 1),
    user_agent: 'a'.repeat(LONGEST_FREE_TEXT - 1),
    time_taken_ms: null,
  });
});

it('returns only requests that the block codec can write, for any JSON record', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(
      null,
      true,
      {},
      [],
      1e300,
      -1,
      1.5,
      '1e9',
      '200',
      2 ** 40,
      '192.0.2.1',
      1771056930,
      '/x',
      'GET',
    ),
  );
  const names = [
    ...[
      'timestamp',
      'client_ip',
      'method',
      'path',
      'url',
      'query',
      'host',
      'status',
      'bytes_sent',
      'time_taken_ms',
    ],
    ...[
      'asn',
      'country',
      'content_type',
      'EdgeStartTimestamp',
      'EdgeEndTimestamp',
      'ClientIP',
      'ClientRequestURI',
    ],
    ...['EdgeResponseStatus', 'EdgeResponseBytes', 'ClientASN', 'ClientRequestHost', 'EdgeTimeToFirstByteMs'],
  ];
  const good = {
    ...{ timestamp: 1771056930, client_ip: '192.0.2.1', method: 'GET', path: '/', status: 200 },
    ...{
      EdgeStartTimestamp: 1771056930,
      ClientIP: '192.0.2.1',
      ClientRequestURI: '/',
      EdgeResponseStatus: 200,
    },
  };
  let passed = 0;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), (changes) => {
      for (const source of sources) {
        if (source.shape !== 'json') continue;
        const parsed = source.open(plainUpload).parse({ ...good, ...changes });
        const result = 'timestamp' in parsed ? validateRequest(parsed, TIMES) : parsed;
        if (!('timestamp' in result)) continue;
        passed++;
        const block = {
          website_id: 'w',
          source: source.name,
          upload_id: 'u',
          received_at: NOW,
          requests: [result],
        };
        expect(decodeRawBlock(encodeRawBlock(block)).requests[0]!.timestamp).toBe(result.timestamp);
      }
    }),
    { numRuns: runs(400) },
  );
  expect(passed).toBeGreaterThan(runs(400) / 4);
});

it('returns a combined line’s texts for every escape', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '\t', ' ', 'é', '名', '😀', 'x'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  });
  const nginx = (value: string) =>
    [...Buffer.from(value)]
      .map((byte) =>
        byte < 32 || byte > 126 || byte === 34 || byte === 92
          ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join('');
  const apache = (value: string) =>
    value.replace(/["\\]/g, '\\$&').replace(/\t/g, '\\t').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  fc.assert(
    fc.property(text, text, text, (path, referrer, agent) => {
      // '-' alone is the servers' mark for a missing header, and spaces end a target.
      fc.pre(referrer !== '-' && agent !== '-' && !/\s$/.test(path));
      for (const escaped of [nginx, apache]) {
        const line = `192.0.2.1 - - [14/Feb/2026:08:15:30 +0000] "GET /${escaped(path)} HTTP/1.1" 200 5 "${escaped(referrer)}" "${escaped(agent)}"`;
        const parsed = combined.shape === 'lines' ? combined.open(plainUpload).parse(line) : null;
        expect(parsed).toMatchObject({
          target: `/${path}`,
          referrer,
          user_agent: agent,
          protocol: 'HTTP/1.1',
        });
      }
    }),
    { numRuns: runs(300) },
  );
});
