import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_NOW, takeBody } from '../../../test/harness/ingest/take-body.js';
import { isNightly, runs } from '../../../test/harness/runs.js';
import { sources } from '../sources/all-sources.js';

/**
 * Each record of any body is taken or rejected separately. Nothing throws, and every taken record can be written to
 * the log: `takeBody` encodes them.
 */

/** Names of properties that every object has: a lookup of such a text in an object finds a function. */
const inherited = Object.getOwnPropertyNames(Object.prototype);
/** JSON texts, since most of them have no other form. */
const hostileValues = [
  ...inherited.map((name) => JSON.stringify(name)),
  ...[
    '9007199254740990',
    '9007199254740991',
    '9007199254740992',
    '9223372036854775807',
    '18446744073709551616',
  ],
  ...[
    '1125899906842624',
    '1125899906842625',
    '4294967295',
    '4294967296',
    '2147483647',
    '2147483648',
    '-2147483649',
  ],
  ...[
    '1e308',
    '1e309',
    '-1e309',
    '5e-324',
    '-0',
    '-1',
    '0.1',
    '1e21',
    '"1e21"',
    '"NaN"',
    '"Infinity"',
    '"-Infinity"',
  ],
  ...[
    '"-0"',
    '"0x10"',
    '"１"',
    '"9007199254740991"',
    '"99999999999999999999999999"',
    '""',
    '" "',
    '"-"',
    'null',
    'true',
  ],
  ...[
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"a\\ud83d"',
    '"\\u0000"',
    '"\\u0000\\n\\r\\t"',
    '"\\u2028"',
    '"\uFEFF"',
    '"é\u0301"',
  ],
  ...[
    '{}',
    '[]',
    '[[]]',
    '{"__proto__":{"a":1}}',
    '{"toString":null,"valueOf":null}',
    '["a"]',
    '[1]',
    '{"length":-1}',
  ],
  ...[
    '"0001-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59Z"',
    '"+275760-09-13T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
  ],
  ...[
    '"::ffff:1.2.3.4"',
    '"1:2:3:4:5:6:1.2.3.4"',
    '"::1.2.3.4"',
    '"fe80::1%eth0"',
    '"[::1]:80"',
    '"1.2.3.4:65536"',
    '"::"',
  ],
  ...[
    '"http://"',
    '"http://@"',
    '"HTTP://[::1]:80?x"',
    '"//"',
    '"*"',
    '"/\\u0000"',
    '"?"',
    `"/${'x'.repeat(20_000)}"`,
  ],
  ...[
    '1771056930',
    '1771056930000',
    '1771056930000000',
    '1771056930000000000',
    '99999999999',
    '100000000000000000',
  ],
];

const fields = [
  ...['timestamp', 'client_ip', 'method', 'path', 'url', 'query', 'host', 'protocol', 'status', 'bytes_sent'],
  ...[
    'time_taken_ms',
    'user_agent',
    'referrer',
    'request_id',
    'content_type',
    'cache_status',
    'country',
    'asn',
  ],
  ...[
    'EdgeStartTimestamp',
    'EdgeEndTimestamp',
    'EdgeTimeToFirstByteMs',
    'ClientIP',
    'ClientRequestHost',
    'ClientASN',
  ],
  ...[
    'ClientRequestMethod',
    'ClientRequestURI',
    'ClientRequestPath',
    'ClientRequestProtocol',
    'ClientCountry',
  ],
  ...['EdgeResponseStatus', 'EdgeResponseBytes', 'EdgeResponseBodyBytes', 'EdgeResponseContentType', 'RayID'],
  ...[
    'ClientRequestUserAgent',
    'ClientRequestReferer',
    'CacheCacheStatus',
    'WorkerSubrequest',
    'ParentRayID',
  ],
  ...[
    'ClientRequestSource',
    ...[
      'remote_addr',
      'request_uri',
      'request_method',
      'http',
      'headers',
      'response',
      'request_time',
      'args',
    ],
    ...['ts', 'request', 'size', 'duration', 'resp_headers', 'logger'],
    ...['StartUTC', 'ClientHost', 'ClientAddr', 'RequestPath', 'RequestHost', 'Duration', 'DownstreamStatus'],
    ...['start_time', 'downstream_remote_address', 'x_forwarded_for', 'response_code', 'authority'],
    'content',
    'event',
    'info',
    'record',
    'events',
    'logs',
    'records',
    'data',
    ...inherited,
  ],
];

const seconds = BODY_NOW / 1_000 - 60;
const good = new Map([
  ['loglane', { timestamp: seconds, client_ip: '192.0.2.1', method: 'GET', path: '/', status: 200 }],
  [
    'cloudflare',
    { EdgeStartTimestamp: seconds, ClientIP: '192.0.2.1', ClientRequestURI: '/', EdgeResponseStatus: 200 },
  ],
  ['json', { time: seconds, remote_addr: '192.0.2.1', request_uri: '/', request_method: 'GET', status: 200 }],
  ['caddy', { ts: seconds, request: { remote_ip: '192.0.2.1', uri: '/' }, status: 200 }],
  ['traefik', { time: seconds, ClientHost: '192.0.2.1', RequestPath: '/', DownstreamStatus: 200 }],
  [
    'envoy',
    {
      start_time: seconds,
      downstream_remote_address: '192.0.2.1',
      path: '/',
      response_code: 200,
      method: 'GET',
      response_flags: '-',
    },
  ],
]);

/** The record with some values replaced; written by hand, because JSON.stringify changes -0 and lone surrogates. */
function write(name: string, changes: readonly (readonly [string, string])[]): string {
  const values = new Map(Object.entries(good.get(name)!).map(([key, value]) => [key, JSON.stringify(value)]));
  for (const [key, value] of changes) values.set(key, value);
  return `{${[...values].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

describe.each([...good.keys()])('a record of %s', (name) => {
  const source = sources.find((each) => each.name === name)!;

  it('with any hostile value in any field costs itself at most', () => {
    for (const [place, field] of fields.entries()) {
      // Each field meets an eighth of the values, and each value some fields; at night every field meets every value.
      const values = isNightly
        ? hostileValues
        : hostileValues.filter((_, index) => (index + place) % 8 === 0);
      for (const value of values) {
        const body = Buffer.from(
          `${write(name, [])}\n${write(name, [[field, value]])}\n${write(name, [])}\n`,
        );
        for (const taken of [takeBody(body), takeBody(body, { source })]) {
          expect(taken.refusal).toBeNull();
          expect(taken.requests.length).toBeGreaterThanOrEqual(2);
        }
      }
    }
  });

  it('of hostile values, texts and numbers together is taken or rejected', () => {
    const text = fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) });
    const value = fc.oneof(
      fc.constantFrom(...hostileValues),
      fc.json(),
      text.map((each) => JSON.stringify(each)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    const changes = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...fields), text), value), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (records) => {
        const body = Buffer.from(records.map((each) => write(name, each)).join('\n'));
        const { tally } = takeBody(body, { source });
        const { requests } = takeBody(body, { source, chunkBytes: 7 });
        expect(requests.length).toBe(tally.parsed);
      }),
      { numRuns: runs(500) },
    );
  });
});

it('a combined line with any text in any place is taken or rejected', () => {
  const value = fc.oneof(
    fc.constantFrom(
      ...inherited,
      '9007199254740991',
      '99999999999999999999',
      '-0',
      '1e308',
      'NaN',
      '::',
      '"',
      '\\',
      '-',
    ),
    fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  );
  const place = fc.option(value, { nil: null, freq: 2 });
  const line = fc
    .tuple(place, place, place, place, place, place, place)
    .map(
      ([ip, time, request, status, bytes, agent, tail]) =>
        `${ip ?? '192.0.2.1'} - - [${time ?? '14/Feb/2026:08:15:30 +0000'}] "${request ?? 'GET / HTTP/1.1'}" ${status ?? 200} ${bytes ?? 5} "-" "${agent ?? 'x'}" ${tail ?? ''}`,
    );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      takeBody(Buffer.from(lines.join('\n')));
      takeBody(Buffer.from(lines.join('\n')), { source: sources.find((each) => each.name === 'combined')! });
    }),
    { numRuns: runs(1_000) },
  );
});

it('any bytes are split, taken, rejected or refused, and never throw another error', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(
        fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', ' ', 'a', '1', '{"events":[', 'null'),
      )
      .map((parts) => Buffer.from(parts.join(''))),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(null, ...sources), (body, source) => {
      takeBody(Buffer.from(body), { source });
      takeBody(Buffer.from(body), { source, chunkBytes: 1 });
    }),
    { numRuns: runs(2_000) },
  );
});

describe('nesting 100,000 levels deep', () => {
  const DEPTH = 100_000;
  it.each([
    ['lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
    ['lists without end', '['.repeat(DEPTH)],
    ['a field of lists', write('loglane', [['x', '['.repeat(DEPTH) + ']'.repeat(DEPTH)]])],
    ['a field of objects', write('loglane', [['x', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`]])],
    ['a field that is read', write('loglane', [['path', '['.repeat(DEPTH) + ']'.repeat(DEPTH)]])],
    ['a line of it among others', `${write('loglane', [])}\n${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}\n`],
  ])('is taken or rejected: %s', (_, body) => {
    for (const each of [takeBody(Buffer.from(body)), takeBody(Buffer.from(body), { chunkBytes: 10_000 })]) {
      expect(each.refusal).toBeNull();
      expect(each.tally.parsed + each.tally.rejected).toBeGreaterThan(0);
    }
  });
});
