import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { decodeRawBlock, encodeColumnBlock } from '../../../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { sinkInto } from '../../../../test/harness/ingest/row-sink.js';
import { runs } from '../../../../test/harness/runs.js';
import { createBodySplitter } from '../../body/split-body.js';
import { createTally } from '../../outcomes/tally.js';
import { acceptedTimes } from '../../records/accepted-times.js';
import { createRecordParser } from '../../records/parse-records.js';
import { combined } from './combined.js';
import { createPlainCombinedReader } from './read-lines.js';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const times = acceptedTimes(NOW, 400);
const CAPACITY = 2_000;
const head = { website_id: 'w', source: 'combined', upload_id: 'u', received_at: NOW };

/** Takes a body, with or without the fast path for plain lines. */
function take(body: Buffer, chunkBytes: number, isFast: boolean, maxLineBytes = 64 * 1024) {
  const tally = createTally();
  const builder = createColumnBuilder(CAPACITY);
  let plain = 0;
  const onRows = (rows: number): void => {
    plain += rows;
  };
  const parser = createRecordParser({
    source: combined,
    headers: {},
    query: new URLSearchParams(),
    times,
    tally,
    onRequest: (request: RawRequest) => builder.add(request),
    onInflated() {},
    ...(isFast ? { rows: sinkInto(builder, CAPACITY, onRows) } : {}),
  });
  const splitter = createBodySplitter({ maxLineBytes, shape: 'lines' }, parser);
  for (let at = 0; at < body.length; at += chunkBytes) splitter.onChunk(body.subarray(at, at + chunkBytes));
  splitter.onEnd();
  const { reject, ...counts } = tally;
  return { counts, plain, requests: decodeRawBlock(encodeColumnBlock(head, builder)).requests };
}

/** @returns number of lines on the fast path */
function expectSame(body: Buffer, chunkBytes = body.length): number {
  const fast = take(body, chunkBytes, true);
  const slow = take(body, chunkBytes, false);
  expect(fast.counts).toEqual(slow.counts);
  expect(fast.requests).toEqual(slow.requests);
  return fast.plain;
}

const LINE =
  '203.0.113.7 - - [17/Nov/2026:12:00:02 +0100] "GET /a?b=c HTTP/1.1" 200 5316 "https://example.com/" "Mozilla/5.0 (X11)" 0.003 example.com';

test('a line of nginx or Apache takes the fast path completely', () => {
  const body = Buffer.from(`${LINE}\n`);
  expect(expectSame(body)).toBe(1);
  expect(take(body, body.length, true).requests).toEqual([
    {
      timestamp: Date.parse('2026-11-17T11:00:02Z'),
      client_ip: '203.0.113.7',
      method: 'GET',
      host: 'example.com',
      target: '/a?b=c',
      protocol: 'HTTP/1.1',
      status: 200,
      bytes_sent: 5316,
      time_taken_ms: 3,
      user_agent: 'Mozilla/5.0 (X11)',
      referrer: 'https://example.com/',
      request_id: '',
      content_type: '',
      cache_status: '',
      source_country: '',
      source_asn: null,
      cdn_bot_category: '',
    },
  ]);
});

describe('the fast path gives the parser’s result', () => {
  const before = '203.0.113.7 - - [17/Nov/2026:12:00:02 +0000] "GET / HTTP/1.1" 200 12';
  test.each([
    ['of the common form', before],
    ['of no size', before.replace(/12$/, '-')],
    ['without a user agent', `${before} "-"`],
    ['of absent headers', `${before} "-" "-"`],
    ['of empty headers', `${before} "" ""`],
    ['of IPv6', LINE.replace('203.0.113.7', '2a01:4ca:3b23:e1f:bf39:d6a1:b95f:f8b5')],
    ['of a mapped address in hexadecimal', LINE.replace('203.0.113.7', '::ffff:cb00:7107')],
    ['of IPv4 as a dual-stack server writes it', LINE.replace('203.0.113.7', '::ffff:203.0.113.7')],
    ['of HTTP/1.0', LINE.replace('HTTP/1.1', 'HTTP/1.0')],
    ['of HTTP/3', LINE.replace('HTTP/1.1', 'HTTP/3.0')],
    ['of a method of 32 letters', LINE.replace('GET', 'M'.repeat(32))],
    ['of a text of the longest length', LINE.replace('X11', 'x'.repeat(8_192 - 'Mozilla/5.0 ()'.length))],
    ['of a host of the longest length', LINE.replace('0.003 example.com', `0.003 ${'a.'.repeat(126)}com`)],
    ['of HTTP/2', LINE.replace('HTTP/1.1', 'HTTP/2.0')],
    ['of another method', LINE.replace('GET', 'PROPFIND')],
    ['with an absent forwarded list', `${before} "-" "x" "-"`],
    ['as docs/log-format.md asks nginx for it', `${before} "-" "x" rt=0.017 host=example.com`],
    ['as docs/log-format.md asks Apache for it', `${before} "-" "x" D=1500 host=example.com`],
    ['of names without values', `${before} "-" "x" rt=- host=- D=-`],
    ['with a host that is not quoted', `${before} "-" "x" example.com 12.000`],
  ])('%s, and takes it', (_, line) => {
    expect(expectSame(Buffer.from(`${line}\n`))).toBe(1);
  });

  test.each([
    ['an address in another spelling', LINE.replace('203.0.113.7', '::FFFF:203.0.113.7')],
    ['no address behind the prefix of mapped ones', LINE.replace('203.0.113.7', '::ffff:203.0.113.256')],
    ['the unspecified address', LINE.replace('203.0.113.7', '::')],
    ['no address', LINE.replace('203.0.113.7', '203.0.113.256')],
    ['an empty address', LINE.replace('203.0.113.7', '')],
    ['a user', LINE.replace('- -', '- bob')],
    ['a day that does not exist', LINE.replace('17/Nov', '31/Nov')],
    ['a month of another language', LINE.replace('Nov', 'nov')],
    ['an hour too many', LINE.replace(':12:', ':24:')],
    ['a minute too many', LINE.replace(':00:', ':60:')],
    ['a method of 33 letters', LINE.replace('GET', 'M'.repeat(33))],
    ['a control character', LINE.replace('X11)', 'X11)\x01')],
    ['a host of 256 characters', LINE.replace('0.003 example.com', `0.003 ${'a.'.repeat(126)}coms`)],
    ['an offset that no zone has', LINE.replace('+0100', '+9999')],
    ['a leap second', LINE.replace(':02 ', ':60 ')],
    ['a time that is too early', LINE.replace('2026', '2016')],
    ['a time that is too late', LINE.replace('2026', '2027')],
    ['a status of two digits', LINE.replace(' 200 ', ' 20 ')],
    ['a size with letters behind it', LINE.replace('5316', '5316example.com')],
    ['a hyphen with letters behind it', LINE.replace('5316', '-example.com')],
    ['a size beyond a pebibyte', LINE.replace('5316', '1125899906842625')],
    ['a target with a space', LINE.replace('/a?b=c', '/a b')],
    ['a target with a quote', LINE.replace('/a?b=c', '/a"b')],
    ['a target with an escape', LINE.replace('/a?b=c', '/a\\x22b')],
    ['a target of another host', LINE.replace('/a?b=c', 'http://example.net/')],
    ['an asterisk', LINE.replace('GET /a?b=c', 'OPTIONS *')],
    ['a method in small letters', LINE.replace('GET', 'get')],
    ['no request', LINE.replace('GET /a?b=c HTTP/1.1', '-')],
    ['a protocol of another kind', LINE.replace('HTTP/1.1', 'HTTP/1.12')],
    ['a version of other bytes', LINE.replace('HTTP/1.1', 'HTTP/0.:')],
    ['a version of other bytes that sum up alike', LINE.replace('HTTP/1.1', 'HTTP/2.&')],
    ['HTTP/0.9', LINE.replace('HTTP/1.1', 'HTTP/0.9')],
    ['a user agent beyond ASCII', LINE.replace('X11', 'é')],
    ['a user agent with a quote', LINE.replace('(X11)', '"X11"')],
    ['a user agent that is not closed', LINE.replace('(X11)"', '(X11)')],
    ['a text that is cut', LINE.replace('X11', 'x'.repeat(8_200))],
    ['a target that is cut', LINE.replace('/a', `/${'x'.repeat(8_192)}`)],
    ['two times', LINE.replace('0.003', '0.003 0.004')],
    ['two hosts', `${LINE} "example.net"`],
    ['a host in capitals', LINE.replace('0.003 example.com', '0.003 "Example.com"')],
    ['a host with a port', LINE.replace('0.003 example.com', '0.003 "example.com:8080"')],
    ['a forwarded address', LINE.replace('0.003 example.com', '0.003 "198.51.100.1"')],
    ['a time in milliseconds', LINE.replace('0.003', '3ms')],
    ['a time of four decimals', LINE.replace('0.003', '0.0034')],
    ['a time beyond 24 days', LINE.replace('0.003', '9999999.003')],
    ['a time of another name', LINE.replace('0.003', 'request_time=0.003')],
    ['a name of a time alone', LINE.replace('0.003', 'rt=')],
    ['a name of microseconds alone', LINE.replace('0.003', 'D=')],
    ['a name of a host alone', LINE.replace('0.003 example.com', '0.003 host=')],
    ['two times of other names', LINE.replace('0.003', 'rt=0.003 D=3000')],
    ['whole seconds with a name', LINE.replace('0.003', 'rt=3')],
    ['microseconds with decimals', LINE.replace('0.003', 'D=3000.5')],
    ['microseconds of many digits', LINE.replace('0.003', 'D=1234567890')],
    ['a named host that is quoted', LINE.replace('0.003 example.com', '0.003 host="example.com"')],
    ['a named time in quotes', LINE.replace('0.003', '"rt=0.003"')],
    ['a host of another name', LINE.replace('0.003 example.com', '0.003 vhost=example.com')],
    ['a named host of one label', LINE.replace('0.003 example.com', '0.003 host=localhost')],
    ['many words', `${LINE}${' "-"'.repeat(12)}`],
    ['a carriage return', `${LINE}\r`],
    ['a prefix of syslog', `<134>1 2026-11-17T12:00:02Z host app - - - ${LINE}`],
    ['nothing', ''],
    ['the word of a destination check', 'test'],
  ])('of a line with %s, and leaves it', (_, line) => {
    expect(expectSame(Buffer.from(`${line}\n`))).toBe(0);
    // Between plain lines the line has the same number, and the plain lines are unchanged.
    expect(expectSame(Buffer.from(`${LINE}\n${line}\n${LINE}\n`))).toBe(2);
  });

  it('of microseconds, rounded to milliseconds', () => {
    const all = Array.from({ length: 2_000 }, (_, at) =>
      at < 1_000 ? 500 * at + (at % 3) - 1 : 999_999_999 - 497 * at,
    );
    const lines = all.map((microseconds) => `${before} "-" "x" D=${Math.max(0, microseconds)}\n`);
    expect(expectSame(Buffer.from(lines.join('')))).toBe(all.length);
  });

  it('of a line that is too long', () => {
    const body = Buffer.from(`${LINE}\n${LINE}x\n`);
    const fast = take(body, body.length, true, LINE.length);
    expect(fast).toMatchObject({ plain: 1, counts: { parsed: 1, rejected: 1 } });
    expect(fast.counts).toEqual(take(body, body.length, false, LINE.length).counts);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      '"',
      '-',
      '\\',
      '\n',
      '\r',
      '[',
      ']',
      '/',
      '.',
      ':',
      '0',
      '9',
      'é',
      '\t',
      '\0',
      'ms',
      '=',
    ),
    fc.constantFrom(
      '"-"',
      ' "-"',
      '0.003',
      'example.com',
      '"example.com"',
      ' 1.5',
      'HTTP/1.1',
      '::1',
      '+0000',
      ' rt=0.01',
      ' rt=1.234',
      ' D=4500',
      ' host=example.com',
      'host=',
      'D=',
    ),
    fc.string({ maxLength: 3 }),
  );
  const mutated = fc
    .array(fc.tuple(fc.nat(LINE.length), fc.nat(4), piece), { maxLength: 3 })
    .map((changes) =>
      changes.reduce((line, [at, length, text]) => line.slice(0, at) + text + line.slice(at + length), LINE),
    );

  it('for any change in lines, and any chunks', () => {
    let plain = 0;
    fc.assert(
      fc.property(
        fc.array(mutated, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 20, max: 2_000 }),
        (lines, chunk) => {
          plain += expectSame(Buffer.from(`${[LINE, ...lines].join('\n')}\n`), chunk);
        },
      ),
      { numRuns: runs(500) },
    );
    expect(plain).toBeGreaterThan(0);
  });
});

test('lines without a forwarded address decide on one that has it, for any proxy', () => {
  const peers = [
    '0.0.0.1',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '192.168.0.1',
  ];
  const others = ['::1', 'fc00::1', 'fe80::1', '::ffff:10.0.0.1', '172.32.0.1', '100.0.0.1', '198.51.100.7'];
  for (const peer of [...peers, ...others, '2001:db8::1']) {
    const from = (address: string) => LINE.replace('203.0.113.7', address);
    const lines = [
      from('10.0.0.9'),
      from('10.0.0.9').replace(' 0.003', ' "198.51.100.77" 0.003'),
      from(peer),
    ];
    for (const chunk of [1_000, 40]) expectSame(Buffer.from(`${lines.join('\n')}\n`), chunk);
    expectSame(Buffer.from(`${lines.toReversed().join('\n')}\n${from(peer)}\n`));
  }
});

test('a block that closes between lines continues in the next', () => {
  const builders = [createColumnBuilder(2), createColumnBuilder(2)];
  const sinks = builders.map((builder) => sinkInto(builder, 2));
  const open = () => sinks[builders.findIndex(({ rows }) => rows < 2)]!;
  const plain = createPlainCombinedReader('combined', {
    times,
    sink: { room: (source) => open().room(source), rowsAdded() {} },
    onBrowsers() {},
  });
  const body = Buffer.from(`${LINE}\n`.repeat(3));
  plain.begin(body);
  expect(plain.read(0, body.length, 1_000)).toBe(body.length);
  expect(plain.lines).toBe(3);
  expect(builders.map(({ rows }) => rows)).toEqual([2, 1]);
});
