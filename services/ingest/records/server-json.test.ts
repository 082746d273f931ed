import { expect, test } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/**
 * JSON that a server writes with a plain text format. A client must not be able to hide its requests with a byte that
 * breaks the JSON.
 */

const loglane = (agent: string) =>
  `{"timestamp":1771056930,"client_ip":"192.0.2.1","method":"GET","path":"/a","status":200,"user_agent":"${agent}"}`;
const nginx = (agent: string, rest = '') =>
  `{"msec":"1771056930.1","remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/a","status":"200","http_user_agent":"${agent}"${rest}}`;
const cloudflare = (agent: string) =>
  `{"EdgeStartTimestamp":1771056930,"ClientIP":"192.0.2.1","ClientRequestMethod":"GET","ClientRequestURI":"/a","EdgeResponseStatus":200,"ClientRequestUserAgent":"${agent}"}`;
const AGENT = String.raw`sqlmap \xff`;

test.each([
  ['in a line', loglane(AGENT)],
  ['in a list', `[${loglane(AGENT)},${loglane('x')}]`],
  ['in a list of a name', `{"events":[${loglane(AGENT)}]}`],
  ['in indented JSON', `{\n${loglane(AGENT).slice(1)}`],
  ['one after the other', `${loglane(AGENT)}${loglane('x')}`],
  ['behind another line', `${nginx('x')}\n${nginx(AGENT)}`],
  ['behind syslog', `<134>Feb 14 08:15:30 web nginx: ${nginx(AGENT)}`],
  ['inside of a shipper', JSON.stringify({ message: nginx(AGENT) })],
  ['with a quote', nginx(String.raw`sqlmap \x22,\x22a\x22:\x22 \xff`)],
  ['of a CDN', cloudflare(AGENT)],
  ['with a tab', nginx('sqlmap \t')],
  ['with an escape of Apache', nginx(String.raw`sqlmap \v`)],
  ['with a backslash', nginx(String.raw`sqlmap \0 C:\windows`)],
  ['with empty numbers', nginx('sqlmap', ',"body_bytes_sent":,"upstream_response_time":-,"x":000')],
  ['with times of several upstreams', nginx('sqlmap', ',"upstream_response_time":0.001, 0.002')],
])('%s', (_, body) => {
  for (const chunkBytes of [body.length, 13]) {
    const { requests, tally } = takeBody(Buffer.from(body), { chunkBytes });
    expect(requests.filter((request) => request.user_agent.startsWith('sqlmap'))).toHaveLength(1);
    expect(tally.rejected).toBe(0);
  }
});
