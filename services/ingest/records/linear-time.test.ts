import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../../test/harness/growth.js';
import { takeBody } from '../../../test/harness/ingest/take-body.js';
import { runs } from '../../../test/harness/runs.js';
import { sources } from '../sources/all-sources.js';
import { template } from '../sources/template/template.js';

/**
 * Every text takes linear time in every place. A hostile text has a beginning, a repeated part, and an end that makes
 * all of it fail.
 */

/** Four times this is longer than a chunk and shorter than the longest accepted line. */
const SIZE = 16 * 1024;

type Shape = readonly [begin: string, repeat: string, end: string];

const time = '[14/Feb/2026:08:15:30 +0000]';
const combinedLine = `198.51.100.7 - - ${time} "GET / HTTP/1.1" 200 5`;
const json = (field: string, value: string) =>
  `{"timestamp":1771056930,"client_ip":"192.0.2.1","method":"GET","path":"/","status":200,"${field}":${value}`;

const named = (rest: string) =>
  `{"time":1771056930,"remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/","status":200,${rest}`;
const akamai = (field: string, value: string) =>
  `{"reqTimeSec":"1771056930","cliIP":"192.0.2.1","reqMethod":"GET","reqPath":"/","statusCode":"200","${field}":${value}`;
const fastly = (field: string, value: string) =>
  `{"timestamp":1771056930,"client_ip":"192.0.2.1","url":"/","response_status":200,"fastly_is_edge":true,"${field}":${value}`;

const shapes: readonly Shape[] = [
  // Objects on one line, with different separators.
  ['{}\n}', ' ', 'x'],
  ['{}\n', '} ', 'x'],
  ['{}\n', '},', 'x'],
  ['{}\n}', '\t,', 'x'],
  ['{}\n', '}\t', '{'],
  ['{}\n', '{}', 'x'],
  ['{}\n', '{} ', 'x'],
  ['{}\n', '{"a":', 'x'],
  // Brackets, quotes and white space while brackets are counted.
  ['{', '\n', '{'],
  ['{', '\n{', 'x'],
  ['{\n', '[\n', '{'],
  ['{"a":[', '\n ', '{'],
  ['[', '{\n', 'x'],
  ['[', ' ', '{'],
  ['[', 'x,', '{'],
  ['[{"a":1}', '\n', '{'],
  ['{"events":[', '{},', ']'],
  ['{"events":', ' ', '['],
  ['{"a":"', '\\', '"}'],
  ['{"a":"', '\\\n', '"}'],
  ['{"a":"', '"\n{"', '"}'],
  ['', '[', ''],
  ['{}\n', '[', ']'],
  ['{"a":', '[', ']'],
  ['', '{"a":', '}'],
  ['{}\n', '{"a":', '}'],
  // Unknown formats and comma-separated values.
  ['', ' ', 'x'],
  ['"', 'a",', 'x'],
  ['', '"a",', '"x'],
  ['', ',"', 'x y'],
  ['a', ',', ' '],
  ['', 'ClientIP"', 'x'],
  ['x', '\r', '\n'],
  ['', '\n', 'x'],
  // Combined lines.
  ['', '[', time],
  ['1 ', '[aa/bbb/', ''],
  ['198.51.100.7 - - ', '"', combinedLine],
  ['', '198.51.100.7, ', combinedLine],
  ['', '1.', `:1 ${combinedLine}`],
  ['', '::', combinedLine],
  ['', 'a:', combinedLine],
  [`198.51.100.7 - - ${time} "GET /`, '\\', '" 200 5'],
  [`198.51.100.7 - - ${time} "GET /`, '\\x41', '" 200 5'],
  [`198.51.100.7 - - ${time} "GET /`, '\\"', '" 200 5'],
  [`198.51.100.7 - - ${time} "GET /`, '" ', '" 200 5'],
  [`198.51.100.7 - - ${time} "GET /`, '" 200', ''],
  [`${combinedLine} "-" "`, '\\', ''],
  [`${combinedLine} "-" "`, '"', ''],
  [`${combinedLine} "-" "-" `, '"', ''],
  [`${combinedLine} "-" "-" `, '"\\" ', ''],
  [`${combinedLine} "-" "-" `, 'a=" ', ''],
  [`${combinedLine} "-" "-" `, '"\\', ''],
  [`${combinedLine} "-" "-" `, 'a', '='],
  [`${combinedLine} "-" "-" `, '1', '.x'],
  [`${combinedLine} "-" "-" 1.`, '1', 'x'],
  [`${combinedLine} "-" "-" `, '"1.1.1.1,x" ', ''],
  [`${combinedLine} "-" "-" "`, ',', '"'],
  // Invalid names of the longest allowed length.
  [`${combinedLine} "-" "-" `, `${'a'.repeat(250)}! `, ''],
  [`${combinedLine} "-" "-" `, `${'a.'.repeat(125)}! `, ''],
  [`${combinedLine} "-" "-" `, `${'a-'.repeat(125)}! `, ''],
  // Lines of HAProxy.
  ['', '[14/Feb/2026:08:15:30.655] ', ''],
  ['1:', ' ', '[14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - "x"'],
  ['', '1:', ' [14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - "x"'],
  ['1.1.1.1:1 [14/Feb/2026:08:15:30.655] a b ', '1/', ' 200 1 - - - - - "x"'],
  ['1.1.1.1:1 [14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - {', '|', '} "x"'],
  ['1.1.1.1:1 [14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - ', '{} ', '"x"'],
  ['1.1.1.1:1 [14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - "', '#A', '"'],
  ['1.1.1.1:1 [14/Feb/2026:08:15:30.655] a b 1/1/1/1/1 200 1 - - - - - "x" ', ' /', ''],
  // Values of JSON records.
  [json('timestamp', '"'), '1', 'x"}'],
  [json('timestamp', '"1.'), '1', 'x"}'],
  [json('timestamp', '"2026-02-14T08:15:30.'), '1', 'x"}'],
  [json('status', ''), '1', '}'],
  [json('status', '"'), '1', '.x"}'],
  [json('path', '"http://'), '@', '"}'],
  [json('path', '"'), '/', '"}'],
  [json('host', '"['), ':', '"}'],
  [json('client_ip', '"'), ':', '"}'],
  [json('client_ip', '"1::%'), 'a', '!"}'],
  [json('client_ip', '"'), '1.', '"}'],
  [json('method', '"'), 'A', ' "}'],
  [json('asn', '"AS'), '1', 'x"}'],
  [json('country', '"'), 'ß', '"}'],
  [json('content_type', '"'), ' ', ';"}'],
  [json('x', '{"a":['), '{"a":1},', '1]}}'],
  // JSON that is repaired.
  ['{"a":"', '\\x41', '"}'],
  ['{"a":"', '\\x', '"}'],
  ['{"a":"\\xff', '\\', '"}'],
  ['{"a":"', '\t', '"}'],
  ['{"a":', ', ', '"b":1}'],
  ['{"a":', ':', '}'],
  ['{"a":', '1,', '}'],
  ['{"a":', ' ', '-}'],
  ['{', '"a":,', '"b":1}'],
  // Parts of lines.
  ['', '2026-02-14T08:15:30.1Z stdout P a\n', ''],
  ['', '{"logtag":"P","log":"a"}\n', ''],
  ['', '{"logtag":"P","log":"a"}\n{"logtag":"F","log":"a"}\n', ''],
  ['{"MESSAGE":[', '255,', '1]}'],
  ['"', '1.1.1.1 [', `${combinedLine}"`],
  // Records whose names are looked up in objects, and whose texts are split.
  [named(''), '"a":1,', '"b":1}'],
  [named('"http":'), '{"http":', '1'],
  [named('"http":'), '{"_":', '1'],
  [named('"http_'), '-', '":1}'],
  [named('"http_'), 'İ', '":1}'],
  [named('"user_agent":['), '"a",', '"b"]}'],
  [named('"http_x_forwarded_for":"'), '1.1.1.1,', '"}'],
  [named('"http_x_forwarded_for":['), '"1.1.1.1",', '"x"]}'],
  [named('"duration":"'), '1s', 'x"}'],
  [named('"time":"14/Feb/2026:08:15:30.'), '1', ' x"}'],
  [named('"request":"'), 'GET ', '"}'],
  ['{"time":1771056930,"remote_addr":"192.0.2.1","status":200,"request":"GET ', ' ', 'HTTP/1.1"}'],
  ['{"ts":1771056930,"status":200,"duration":"', '1h', '","request":{"remote_ip":"192.0.2.1","uri":"/"}}'],
  [
    '{"ts":1,"request":{"remote_ip":"10.0.0.1","uri":"/","headers":{"X-Forwarded-For":["',
    '1.1.1.1, ',
    '"]}}}',
  ],
  // Records of CDNs, whose texts are decoded or looked up.
  [akamai('UA', '"'), '%4', 'x"}'],
  [akamai('UA', '"'), '%41+', '"}'],
  [akamai('referer', '"'), '%', '"}'],
  [akamai('reqPath', '"%2F'), '%25', '"}'],
  [akamai('cliIP":"10.0.0.1","xForwardedFor', '"'), '1,', '"}'],
  [fastly('geo_country', '"'), '\u0301', '"}'],
  [fastly('geo_country', '"'), 'saint and ', '"}'],
  [fastly('timestamp', '"'), ' ', 'UTC"}'],
];

describe.each([false, true])('a hostile text (in small chunks: %s)', (inChunks) => {
  it.each(
    shapes.map((shape) => [shape.map((part) => JSON.stringify(part.slice(0, 90))).join(' '), shape] as const),
  )(
    'costs by its length: %s',
    (_, [begin, repeat, end]) => {
      const growth = growthOf(SIZE, (size) => {
        const body = begin + repeat.repeat(Math.ceil(size / repeat.length)) + end;
        takeBody(Buffer.from(body), inChunks ? { chunkBytes: 1_000 } : {});
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
    120_000,
  );
});

/** The beginning of each source's line, long enough that its columns are read. */
const beginnings: readonly (readonly [source: string, begin: string])[] = [
  ['w3c', '#Fields: date time c-ip cs-method cs-uri-stem sc-status\n2026-02-14 08:15:30 192.0.2.1 GET '],
  ['w3c', '#Fields: date\ttime\tc-ip\tcs-method\tcs-uri-stem\tsc-status\n2026-02-14\t08:15:30\t'],
  ['cloudfront-standard', '2026-02-14\t08:15:30\tFRA2\t5\t192.0.2.1\tGET\th\t/\t200\t'],
  ['cloudfront-realtime', '1771056930.1\t192.0.2.1\t0.1\t200\t5\tGET\t'],
  ['alb', 'h2 2026-02-14T08:15:30.1Z app/a/b 192.0.2.1:5 10.0.0.1:80 0 0 0 200 200 1 1 '],
  ['s3', `${'a'.repeat(64)} bucket ${time} 192.0.2.1 - 1 REST.GET.OBJECT k `],
  ['bunny', 'HIT|200|1771056930000|5|1|192.0.2.1|'],
  ['envoy-text', '[2026-02-14T08:15:30.1Z] '],
  ['nginx-proxy-manager', `${time} - 200 200 - GET https h "/" [Client 192.0.2.1] [Length 1] `],
  ['caddy-console', '2026/02/14 08:15:30.1\tINFO\thttp.log.access\thandled\t'],
  ['combined', `${combinedLine} `],
  ['haproxy', '192.0.2.1:1 [14/Feb/2026:08:15:30.655] a b '],
];
const repeats = [
  '"a ',
  '"a\t',
  '"" ',
  '"a""\t',
  '\\"a ',
  '[a ',
  '] ',
  '{a ',
  '\t{',
  '|',
  '|http://|',
  'a="b ',
];

describe.each(beginnings)('hostile text in a line of %s', (name, begin) => {
  it.each(repeats)(
    'costs by its length: %j, %#',
    (repeat) => {
      const source = sources.find((one) => one.name === name)!;
      const upload = { headers: {}, query: new URLSearchParams() };
      const growth = growthOf(SIZE, (size) => {
        const text = begin + repeat.repeat(Math.ceil(size / repeat.length));
        takeBody(Buffer.from(text), { source, upload });
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
    120_000,
  );
});

describe('a line in a custom format', () => {
  const FORMAT =
    '$remote_addr $upstream_status $upstream_addr [$time_local] "$request" $status "$http_user_agent"$x" $y';
  const options = {
    source: template,
    upload: { headers: {}, query: new URLSearchParams({ format: FORMAT }) },
  };
  it.each([
    ['', ' ', ''],
    ['1.1.1.1 ', 'a, ', ''],
    ['1.1.1.1 ', ' : ', ''],
    ['1.1.1.1 ', ':', ' '],
    ['1.1.1.1 - - ', '[', `${time} "`],
    [`1.1.1.1 - - ${time} "`, '\\"', '" 200'],
    [`1.1.1.1 - - ${time} "`, '\\', '" 200'],
    [`1.1.1.1 - - ${time} "`, '"', ' 200'],
    [`1.1.1.1 - - ${time} "GET / HTTP/1.1" 200 "`, '\\"', ''],
  ])(
    'costs by its length: %j %j %j',
    (begin, repeat, end) => {
      const growth = growthOf(SIZE, (size) => {
        takeBody(Buffer.from(begin + repeat.repeat(Math.ceil(size / repeat.length)) + end), options);
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
    120_000,
  );
});

it('a text of characters with a meaning to a splitter or parser takes linear time', () => {
  const parts = [
    ...[
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      ' ',
      '\n',
      '\r',
      '\t',
      '-',
      '.',
      '/',
      '%',
      '=',
      '@',
      '1',
      'a',
      'x',
    ],
    ...[
      '{}',
      '{}\n',
      '"a"',
      '"a":',
      '\\"',
      '\\x41',
      '\\u0000',
      ', ',
      ' - ',
      '":"',
      '" 200 5',
      '"-"',
      ' "-" ',
      '1.1.1.1',
    ],
    ...[
      '::1',
      'http://',
      'D=',
      'rt=',
      'host=',
      '{"events":[',
      time,
      combinedLine,
      json('path', '"/"'),
      '\uFEFF',
      'é',
    ],
  ];
  const piece = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((texts) => texts.join(''));
  const shape = fc.tuple(
    piece,
    piece.filter((text) => text !== ''),
    piece,
  );
  fc.assert(
    fc.property(shape, ([begin, repeat, end]) => {
      const growth = growthOf(SIZE, (size) => {
        takeBody(Buffer.from(begin + repeat.repeat(Math.ceil(size / repeat.length)) + end), {});
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    }),
    { numRuns: runs(300), interruptAfterTimeLimit: 20_000 },
  );
}, 120_000);
