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
