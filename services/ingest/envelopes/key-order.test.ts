import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';
import { combined } from '../sources/combined/combined.js';

const request = (at: number) => ({
  timestamp: '2026-02-14T08:15:30Z',
  client_ip: '198.51.100.7',
  method: 'GET',
  path: `/${at}`,
  status: 200,
});
const line = (at: number) =>
  `198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /${at} HTTP/1.1" 200 5 "-" "a"`;

/** Objects of several keys, and the paths of the requests in them. */
const objects: readonly (readonly [string, Record<string, unknown>, readonly number[]])[] = [
  ['a list of records', { records: [request(1), request(2)], batch: { id: 1 }, time: 5 }, [1, 2]],
  ['a list of events', { events: [request(1)], host: 'h' }, [1]],
  ['two lists', { data: [request(1)], logs: [request(2)] }, [1, 2]],
  ['a list of lines', { logs: [line(1), line(2)], labels: {} }, [1, 2]],
  ['a request with lists of its own', { ...request(1), logs: [{ a: 1 }, { b: 2 }], data: ['x'] }, [1]],
  ['a request with records of its own', { ...request(1), info: { a: 1 }, event: request(9) }, [1]],
  ['a record', { info: request(1), stream: 's' }, [1]],
  ['a record beside a text', { event: request(1), message: 'hello' }, [1]],
  ['a line beside what describes it', { event: { kind: 'event' }, message: line(1) }, [1]],
  ['a line within what describes it', { event: { original: line(1) }, message: 'hello' }, [1]],
  ['a line within what describes it alone', { event: { original: line(1) }, host: 'h' }, [1]],
  ['an event of Splunk', { event: line(1), time: 5, host: 'h' }, [1]],
  ['an event of Splunk that Docker sends', { event: { line: line(1), source: 'stdout' }, time: 5 }, [1]],
  ['an event of Splunk with fields', { event: { line: request(1), source: 'stdout' }, time: 5 }, [1]],
  ['a list within a message', { message: JSON.stringify({ id: 1, records: [request(1)] }), host: 'h' }, [1]],
  ['a line within a record', { record: { log: line(1) }, tag: 't' }, [1]],
  [
    'a message of a queue',
    { message: { data: Buffer.from(line(1)).toString('base64') }, subscription: 's' },
    [1],
  ],
];

function orders(record: Record<string, unknown>): string[] {
  const entries = Object.entries(record);
  return entries.map((_, first) =>
    JSON.stringify(Object.fromEntries([...entries.slice(first), ...entries.slice(0, first)])),
  );
}

describe.each(objects)('of %s', (_, record, paths) => {
  const wanted = paths.map((at) => `/${at}`).sort();
  it.each([undefined, 1, 40])('the order of keys changes nothing, in chunks of %s bytes', (chunkBytes) => {
    for (const text of orders(record)) {
      for (const [copies, body] of [
        [1, text],
        [2, `${text}\n${text}`],
        [2, `${text}${text}`],
        [2, `[${text},${text}]`],
        [2, `[\n${text},\n${text}\n]`],
      ] as const) {
        const { tally, requests } = takeBody(Buffer.from(body), { ...(chunkBytes ? { chunkBytes } : {}) });
        expect([body, requests.map(({ target }) => target).sort()]).toEqual([
          body,
          Array.from({ length: copies }, () => wanted)
            .flat()
            .sort(),
        ]);
        expect([tally.rejected, tally.skipped]).toEqual([0, 0]);
      }
    }
  });
});

/** Whole requests in forms that share their names with others. */
const ownRequests: Readonly<Record<string, (at: number) => Record<string, unknown>>> = {
  loglane: request,
  ecs: (at) => ({
    '@timestamp': '2026-02-14T08:15:30Z',
    source: { ip: '198.51.100.7' },
    http: { request: { method: 'GET' }, response: { status_code: 200 } },
    url: { path: `/${at}` },
  }),
  nginx: (at) => ({
    msec: '1771056930.1',
    remote_addr: '198.51.100.7',
    request_method: 'GET',
    request_uri: `/${at}`,
    status: '200',
  }),
  cloudflare: (at) => ({
    EdgeStartTimestamp: 1_771_056_930,
    ClientIP: '198.51.100.7',
    ClientRequestMethod: 'GET',
    ClientRequestURI: `/${at}`,
    EdgeResponseStatus: 200,
  }),
};
/** Values of a request's field that a client's text or another request may be. */
const texts: readonly unknown[] = [
  line(9),
  `${line(8)}\n${line(9)}`,
  JSON.stringify(request(9)),
  JSON.stringify([request(9)]),
  '192.0.2.1:5 [14/Feb/2026:08:15:30.655] a b/c 0/0/0/0/0 200 5 - - ---- 1/1/0/0/0 0/0 "GET /9 HTTP/1.1"',
  'hello',
  '',
  '[]',
];
const fieldNames = [
  ...['message', 'log', 'MESSAGE', 'full_message', 'short_message', 'event', 'event.original'],
  ...['body', 'data', 'logtag', '_p', 'attributes', 'info', 'record', 'records', 'streams'],
];

describe.each(Object.entries(ownRequests))('a request of %s', (_, own) => {
  it.each(fieldNames)('is itself read, for any value in its %s', (name) => {
    for (const value of [
      ...texts,
      [...Buffer.from(line(9))],
      { original: line(9) },
      [{ key: 'a' }],
      request(9),
    ]) {
      for (const record of [
        { ...own(1), [name]: value },
        { [name]: value, ...own(1) },
        { ...own(1), message: line(9), [name]: value },
      ]) {
        for (const records of [[record], [record, own(2)], [own(2), record], [record, record]]) {
          const body = records.map((one) => JSON.stringify(one)).join('\n');
          const { tally, requests } = takeBody(Buffer.from(body));
          const wanted = records.map((one) => (one === record ? '/1' : '/2'));
          expect([body, requests.map(({ target }) => target)]).toEqual([body, wanted]);
          expect([tally.rejected, tally.skipped]).toEqual([0, 0]);
        }
      }
    }
  });
});

it.each([
  { message: line(1), path: '/', source_type: 'http_server', timestamp: '2026-02-14T08:15:30Z' },
  { message: line(1), client_ip: '192.0.2.9' },
  { message: line(1), timestamp: '2026-02-14T08:15:30Z', source_ip: '192.0.2.9', path: '/', status: 200 },
  {
    log: JSON.stringify(request(1)),
    time: '2026-02-14T08:15:30Z',
    path: '/var/log/a.log',
    source_ip: '192.0.2.9',
  },
])('a line beside less than a request is read: %j', (record) => {
  for (const text of orders(record)) {
    const { tally, requests } = takeBody(Buffer.from(`${text}\n${text}\n`));
    expect([text, requests.map(({ target }) => target)]).toEqual([text, ['/1', '/1']]);
    expect(tally.rejected).toBe(0);
  }
});

it('a line in an object with fields of a request is read if the sender named a source of lines', () => {
  const source = combined;
  const { requests } = takeBody(Buffer.from(JSON.stringify({ ...request(1), message: line(2) })), { source });
  expect(requests.map(({ target }) => target)).toEqual(['/2']);
});

it('a wrapper longer than the limit of a record is split, for any place of its list', () => {
  const records = Array.from({ length: 5_000 }, (_, at) => request(at));
  for (const text of orders({ records, batch: { data: [1] }, note: 'x' })) {
    for (const chunkBytes of [1_000, 1e9])
      expect(takeBody(Buffer.from(text), { chunkBytes }).tally).toMatchObject({ parsed: 5_000, rejected: 0 });
  }
});

it('each item of a list is counted once, for any length of the list', () => {
  for (const count of [3, 5_000]) {
    const records = Array.from({ length: count }, (_, at) => request(at));
    const body = JSON.stringify({ note: {}, records: [...records, 1, 'text', null, true, [1]] });
    const { tally } = takeBody(Buffer.from(body));
    expect([count, tally.parsed + tally.rejected + tally.skipped]).toEqual([count, count + 5]);
  }
});

it('a record after a wrapper is taken', () => {
  for (const wrapper of [{ records: [request(1)] }, { id: 1, records: [request(1)] }]) {
    const body = `${JSON.stringify(wrapper)}\n${JSON.stringify(request(2))}\n`;
    expect(takeBody(Buffer.from(body)).tally).toMatchObject({ parsed: 2, rejected: 0, skipped: 0 });
  }
});

it.each([
  ['an empty text', { message: '\n' }],
  ['an empty list as its text', { message: '[]' }],
  ['an empty list as a line', { log: '[]', stream: 'stdout' }],
  ['an empty list as an event', { event: '[]', time: 5 }],
  ['a wrapper of no records as its text', { message: '{"records":[]}' }],
  ['a wrapper of no records in a record', { record: { records: [] } }],
  ['a push of no streams as its text', { message: '{"streams":[]}' }],
  ['an empty list of a queue', { data: Buffer.from('[]').toString('base64') }],
  [
    'an empty list of Pub/Sub',
    { message: { data: Buffer.from('[ ]').toString('base64') }, subscription: 's' },
  ],
  [
    'a batch without events',
    { data: Buffer.from('{"messageType":"DATA_MESSAGE","logEvents":[]}').toString('base64') },
  ],
  [
    'a batch with an event of an empty list',
    { data: Buffer.from('{"messageType":"DATA_MESSAGE","logEvents":[{"message":"[]"}]}').toString('base64') },
  ],
  ['an empty list as a body', { timeUnixNano: '1', body: { stringValue: '[]' } }],
  ['an empty list as bytes of a body', { timeUnixNano: '1', body: { bytesValue: btoa('[]') } }],
  ['an entry of an empty list', { streams: [{ stream: {}, values: [['1', '[]']] }] }],
  ['an empty record of a queue', { data: '' }],
  ['a message without data', { message: { attributes: {} }, subscription: 's' }],
  [
    'a batch that tries the way',
    { data: Buffer.from('{"messageType":"CONTROL_MESSAGE","logEvents":[{}]}').toString('base64') },
  ],
])('a record with %s is counted once', (_, record) => {
  const texts = [JSON.stringify(record), JSON.stringify(request(1))];
  for (const body of [texts.join('\n'), texts.toReversed().join('\n'), `[${texts.join(',')}]`]) {
    const { tally } = takeBody(Buffer.from(body));
    expect([body, tally.parsed, tally.rejected, tally.skipped]).toEqual([body, 1, 0, 1]);
  }
});
