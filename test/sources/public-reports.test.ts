import { expect, it } from 'vitest';
import { takeBody } from '../harness/ingest/take-body.js';

/** Lines of the forms that public reports on other programs show. */

const TIME = '[14/Feb/2026:08:15:30 +0000]';
const usual = (request: string, rest = '"-" "-"') => `198.51.100.7 - - ${TIME} "${request}" 400 5 ${rest}`;
const alb = (request: string) =>
  `https 2026-02-14T08:15:30.135052Z app/x/a 198.51.100.7:50599 - -1 -1 -1 400 - 172 5 "${request}" "a" - - - "-" "-" "-" - 2026-02-14T08:15:30.081000Z "-" "-" "-" "-" "-" "-" "-"`;
const haproxy = (rest: string) =>
  `Feb 14 08:15:30 lb haproxy[1]: 198.51.100.7:35982 [14/Feb/2026:08:15:30.395] web web/<NOSRV> 0/-1/-1/-1/0 400 5 - - SC-- 1/1/0/0/0 0/0 ${rest}`;

it.each([
  ['beats 17663: a request of one word', usual('moteSubmit=Save'), '', ''],
  ['beats 10958: a byte alone', usual('\\x03'), '', ''],
  ['vrl 226: TLS bytes', usual('\\x16\\x03\\x01\\x00\\xEE'), '', ''],
  ['vrl 226: quotes in a referrer', usual('GET /a HTTP/1.1', '"}__test|O:21:\\x22J" "-"'), '/a', ''],
  [
    'integrations 3491: a space in a URL',
    alb('GET http://h:80/a?cd+/tmp;wget+ b HTTP/1.1'),
    '/a?cd+/tmp;wget+ b',
    'h',
  ],
  [
    'siem 31: an address of IPv6 as host',
    alb('GET http://[::ffff:a9fe:a9fe]:443/a HTTP/1.1'),
    '/a',
    '::ffff:a9fe:a9fe',
  ],
  ['beats 9463: no captured headers', haproxy('"GET /a HTTP/1.1"'), '/a', ''],
  ['beats 9463: captured headers of both', haproxy('{h:8888||} {|} "GET /a HTTP/1.1"'), '/a', ''],
  ['patterns-core 179: a request that syslog cut', haproxy('"GET /a?b'), '/a?b', ''],
  [
    'goaccess 2719: ports behind host and client',
    `shop.example.com:443 198.51.100.7:42918 - - ${TIME} "GET /a HTTP/2.0" 400 5 "-" "a"`,
    '/a',
    'shop.example.com',
  ],
  [
    'goaccess 1193: no forwarded address',
    `- 198.51.100.7 - - ${TIME} "GET /a HTTP/1.0" 400 5 "-" "-"`,
    '/a',
    '',
  ],
  [
    'goaccess 1766: a proxy as user',
    `198.51.100.7 - 10.0.0.1 ${TIME} "GET https://h/a HTTP/1.1" 400 5 "-" "a/1" 0.038`,
    '/a',
    'h',
  ],
  [
    'matomo 7228: two spaces',
    `198.51.100.7 -  -  ${TIME} "GET /a HTTP/1.1" 400 5 "-" "Java/1.7.0"`,
    '/a',
    '',
  ],
])('%s', (_, body, target, host) => {
  const { requests, tally } = takeBody(Buffer.from(body));
  expect(tally.errors).toEqual([]);
  const seen = requests.map((one) => [one.client_ip, one.target, one.host, one.status, one.bytes_sent]);
  expect(seen).toEqual([['198.51.100.7', target, host, 400, 5]]);
});

it('AWStats 133: a file that begins with requests that are none', () => {
  const { tally } = takeBody(Buffer.from(`${usual('-')}\n`.repeat(60)));
  expect([tally.parsed, tally.rejected]).toEqual([60, 0]);
});

it('goaccess 1784: a host name that begins like an address is rejected', () => {
  const line = usual('GET / HTTP/1.1').replace('198.51.100.7', '198.51.100.7.example.net');
  const { tally } = takeBody(Buffer.from(`${line}\n${usual('GET / HTTP/1.1')}`));
  expect([tally.parsed, tally.rejected]).toEqual([1, 1]);
});
