import { expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

const before =
  'https 2026-02-14T08:15:30.135052Z app/x/a 198.51.100.7:50599 10.0.0.7:80 0.001 0.052 0.000 200 200 589 2084';
const behind =
  'ECDHE TLSv1.2 arn:aws:x "Root=1-6" "shop.example.com" "arn:aws:acm" 0 2026-02-14T08:15:30.081000Z "forward" "-" "-" "10.0.0.7:80" "200" "-" "-" TID_1';
const take = (text: string) => takeBody(Buffer.from(text));

it.each([
  ['closes the user agent', '"GET https://h:443/a HTTP/1.1"', '"a" b " "c"'],
  ['closes the request', '"GET https://h:443/a?q=" x HTTP/1.1"', '"Mozilla/5.0"'],
  [
    'writes a host and a time of its own',
    '"GET https://h:443/a HTTP/1.1"',
    '"x" - - - "Root=9" "evil.example" "-" 0 2026-02-14T01:00:00.000000Z ""',
  ],
  [
    'writes all columns of a line',
    '"GET https://h:443/a HTTP/1.1"',
    `"x" ${behind.replace('shop.example.com', 'evil.example').replace('T08', 'T01')} "y"`,
  ],
  ['writes many columns', '"GET https://h:443/a HTTP/1.1"', `"x" ${'- '.repeat(60)}"y"`],
])('a line whose client %s by a quote is rejected', (_, request, agent) => {
  const { tally, requests } = take(`${before} ${request} ${agent} ${behind}`);
  expect(requests).toEqual([]);
  expect(tally.errors[0]?.reason).toContain('where columns end is unknown');
});

it.each([
  ['"a"b"', 'a"b'],
  ['"a\\x22 b"', 'a" b'],
  ['"2026-02-14T01:00:00.000000Z"', '2026-02-14T01:00:00.000000Z'],
])('a user agent of %s moves no column', (agent, expected) => {
  const { requests } = take(`${before} "GET https://h:443/a HTTP/1.1" ${agent} ${behind}`);
  expect(requests.map(({ user_agent, timestamp }) => [user_agent, timestamp])).toEqual([
    [expected, Date.parse('2026-02-14T08:15:30.081Z')],
  ]);
});

it('a line of the classic balancer with too many columns is rejected', () => {
  const line = (agent: string) =>
    `2026-02-14T08:15:30.123456Z elb 198.51.100.7:5000 10.0.0.7:80 0.1 0.1 0.1 200 200 0 5 "GET http://h:80/a HTTP/1.1" ${agent} ECDHE TLSv1.2`;
  expect(take(line('"a"')).tally.parsed).toBe(1);
  expect(take(line('"a" b "c"')).tally.rejected).toBe(1);
});
