import { expect, test } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "x"';
const azure = JSON.stringify({
  records: [
    {
      time: '2026-02-14T08:15:30Z',
      category: 'AppServiceHTTPLogs',
      properties: { CIp: '198.51.100.7', CsMethod: 'GET', CsUriStem: '/a', ScStatus: 200 },
    },
  ],
});

const other = line.replace('GET /a', 'GET /é');
const third = line.replace('GET /a', 'GET /c');
const framed = (text: string) => `${Buffer.byteLength(text)} ${text}`;
const messages = [line, other, third].map((text) => `<134>1 2026-02-14T08:15:30Z host app - - - ${text}`);
const entry = (text: string) => ['1771056930000000000', text];

test.each([
  ['syslog with counts of bytes and no line ends', messages.map(framed).join('')],
  ['syslog with counts of bytes and some line ends', messages.map(framed).join('\n').replace('\n', '')],
  ['syslog whose counts take the line ends in', messages.map((text) => framed(`${text}\n`)).join('')],
  [
    'a push to Loki',
    JSON.stringify({ streams: [{ stream: { job: 'a' }, values: [line, other, third].map(entry) }] }),
  ],
  [
    'a push to Loki of several streams, with metadata',
    JSON.stringify({
      streams: [
        { values: [[...entry(line), { trace_id: '1' }]], stream: {} },
        { stream: { a: 'b' }, values: [entry(`${other}\n`), entry(third)] },
      ],
    }),
  ],
])('%s: each line counts once', (_, body) => {
  const { requests, tally } = takeBody(Buffer.from(body));
  expect(requests.map(({ target }) => target)).toEqual(['/a', '/é', '/c']);
  expect(tally.rejected + tally.skipped).toBe(0);
});

test.each([
  [{ streams: [] }, 0, 1],
  [{ streams: [{ stream: {}, values: [] }] }, 0, 1],
  [{ streams: [{ stream: {} }, { values: [['1']] }] }, 2, 0],
  [{ streams: [5, { values: [5, entry('no request')] }] }, 3, 0],
])('a push to Loki that lacks lines is counted: %j', (push, rejected, skipped) => {
  const { tally } = takeBody(Buffer.from(JSON.stringify(push)));
  expect({ rejected: tally.rejected, skipped: tally.skipped }).toEqual({ rejected, skipped });
});

test('messages after counts may together exceed a line', () => {
  const body = messages.map(framed).join('').repeat(2_000);
  expect(body.length).toBeGreaterThan(256 * 1024);
  const { requests, tally } = takeBody(Buffer.from(body));
  expect([requests.length, tally.rejected]).toEqual([6_000, 0]);
});

test.each([
  ['no character', '\xff'],
  ['a colour', '\x1b[31m'],
])('a count is of the bytes that were sent, also where a message has %s', (_, bytes) => {
  const agent = Buffer.from(messages[0]!.replace('"-"', `"${bytes}"`), 'latin1');
  const body = [agent, ...messages.map((text) => Buffer.from(text))].map((text) =>
    Buffer.concat([Buffer.from(`${text.length} `), text]),
  );
  const { requests, tally } = takeBody(Buffer.concat(body));
  expect([requests.length, tally.rejected]).toEqual([4, 0]);
});

test.each([
  ['in characters', (text: string) => `${text.length} ${text}`],
  ['one too low', (text: string) => `${Buffer.byteLength(text) - 1} ${text}`],
])('messages behind counts %s are rejected where no line ends part them', (_, counted) => {
  const some = [other, line, third].map((text) =>
    counted(`<134>1 2026-02-14T08:15:30Z host app - - - ${text}`),
  );
  const rejected = takeBody(Buffer.from(some.join('')));
  expect(rejected.requests).toEqual([]);
  expect(rejected.tally.rejected).toBe(1);
  expect(rejected.tally.lastError?.reason).toMatch(/count of bytes/);
  expect(takeBody(Buffer.from(some.join('\n'))).requests).toHaveLength(3);
});

test('a client can’t make a message by a count and a priority in its request', () => {
  const forged = line.replace('GET /a', 'GET /x150 <134>1 2026-02-14T08:15:30Z host app - - - y');
  const text = `<134>1 2026-02-14T08:15:30Z host app - - - ${forged}`;
  const { requests, tally } = takeBody(Buffer.from(`${framed(text)}${framed(messages[2]!)}`));
  expect(requests.map(({ target }) => target).at(-1)).toBe('/c');
  expect(requests.length + tally.rejected).toBe(2);
});

test('a count of bytes cuts no line unless another message follows', () => {
  const { requests } = takeBody(Buffer.from(`20 ${messages[0]}`));
  expect(requests.map(({ target }) => target)).toEqual(['/a']);
});

test.each([
  ['GELF', JSON.stringify({ version: '1.1', host: 'web1', short_message: line, timestamp: 1771056930.1 })],
  [
    'GELF with a shortened message',
    JSON.stringify({ version: '1.1', host: 'web1', short_message: line.slice(0, 20), full_message: line }),
  ],
  ['syslog with a count of bytes', `120 <134>1 2026-02-14T08:15:30Z host app - - - ${line}`],
  ['Heroku', `120 <40>1 2026-02-14T08:15:30+00:00 host app web.1 - ${line}`],
  ['old syslog with a count of bytes', `99 <134>Feb 14 08:15:30 web nginx: ${line}`],
  ['a list of records inside of a message', JSON.stringify({ message: azure })],
  [
    'a list of records as bytes of OTLP',
    JSON.stringify({
      resourceLogs: [
        { scopeLogs: [{ logRecords: [{ timeUnixNano: '1', body: { bytesValue: btoa(azure) } }] }] },
      ],
    }),
  ],
])('%s', (_, body) => {
  const { requests, tally } = takeBody(Buffer.from(body));
  expect(requests.map(({ client_ip, target }) => [client_ip, target])).toEqual([['198.51.100.7', '/a']]);
  expect(tally.rejected).toBe(0);
});
