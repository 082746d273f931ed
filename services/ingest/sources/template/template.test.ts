import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PublicError } from '../../../../shared/errors.js';
import { takeBody } from '../../../../test/harness/ingest/take-body.js';
import { runs } from '../../../../test/harness/runs.js';
import { template } from './template.js';

const NGINX =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time';
const upload = (format: string, more: Record<string, string> = {}) => ({
  headers: {},
  query: new URLSearchParams({ format, ...more }),
});
const take = (format: string, line: string) =>
  takeBody(Buffer.from(line), { source: template, upload: upload(format) });

describe('a format', () => {
  it.each([
    ['', 'format: missing'],
    ['-', 'lacks a time ($time_local, %t), the client’s address ($remote_addr, %a), the request'],
    ['$remote_addr [$time_local] $status', 'format: lacks the request ($request, %r; or its method and URI)'],
    ['$remote_addr [$time_local] $request_method $status', 'lacks the request'],
    ['%h %t "%r"', 'format: lacks the status ($status, %>s)'],
    ['%h "%r" %s', 'format: lacks a time ($time_local, %t)'],
    ['%t "%r" %s', 'format: lacks the client’s address ($remote_addr, %a)'],
    ['%h%u %t "%r" %s', 'format: nothing stands between "%h" and "%u" to tell them apart'],
    [
      '$remote_addr$status [$time_local] "$request"',
      'format: nothing stands between "$remote_addr" and "$status"',
    ],
    ['%{msec_frac}t %h "%r" %s', 'lacks a time'],
    [`%h %t "%r" %s${' $x'.repeat(65)}`.replace(/%/g, '$'), 'more than 64 variables'],
    [`%h %t "%r" %s ${'x'.repeat(4_096)}`, 'longer than 4096 characters'],
    ['%h %t\n"%r" %s', 'holds a line end'],
    ['$constructor $__proto__ $toString', 'lacks a time'],
  ])('%j is refused', (format, why) => {
    expect(() => template.open(upload(format))).toThrow(why);
  });

  it('is refused with an unknown zone', () => {
    expect(() => template.open(upload(NGINX, { timezone: 'Nowhere' }))).toThrow('timezone');
  });

  it('rejects any text that is not its line, without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(take(NGINX, text).requests).toEqual([]);
      }),
    );
  });

  it('of any variables and literals is refused or reads any line', () => {
    const word = fc.constantFrom(
      '$status',
      '%h',
      '%t',
      '$request',
      '"',
      ' ',
      '[',
      '%{',
      '}',
      '%>s',
      '$',
      '%%',
      '\\',
      '$uri',
      '$args',
      'x',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.string(), fc.boolean(), (words, line, complete) => {
        const format = words.join('') + (complete ? ' %h %t "%r" %s' : '');
        try {
          take(format, line);
        } catch (error) {
          expect(error).toBeInstanceOf(PublicError);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('keeps address, path, status and user agent of every line, for any texts', () => {
    const text = fc.stringMatching(/^[!#-[\]-~]{1,30}$/);
    fc.assert(
      fc.property(fc.ipV4(), text, fc.integer({ min: 100, max: 599 }), text, (ip, path, status, agent) => {
        const line = `${ip} - - [14/Feb/2026:08:15:30 +0000] "GET /${path} HTTP/1.1" ${status} 5 "-" "${agent} ${agent}" 0.041`;
        const [request] = take(NGINX, line).requests;
        expect(request).toMatchObject({
          client_ip: ip,
          target: `/${path}`,
          status,
          user_agent: `${agent} ${agent}`,
          time_taken_ms: 41,
        });
      }),
    );
  });

  it.each([
    ['%h %l %u %t "%r" %>s %b', { bytes_sent: 612 }],
    ['%h %l %u %t "%r" %>s', { status: 200 }],
    ['$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent', { bytes_sent: 612 }],
  ])('ignores the rest of a line after the end of %s', (format, expected) => {
    const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 612 "-" "agent"';
    expect(take(format, line).requests).toMatchObject([
      { client_ip: '198.51.100.7', target: '/', ...expected },
    ]);
  });

  it('keeps the spaces of a text at its end', () => {
    const line = '198.51.100.7 [14/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 an agent of words';
    const { requests } = take('$remote_addr [$time_local] "$request" $status $http_user_agent', line);
    expect(requests).toMatchObject([{ user_agent: 'an agent of words' }]);
  });

  it('takes a mutated or cut line, or rejects it', () => {
    const line = '198.51.100.7 - - [14/Feb/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 5 "-" "a \\"b\\"" 0.041';
    fc.assert(
      fc.property(fc.nat(line.length), fc.nat(line.length), fc.string(), (from, length, put) => {
        const { tally } = take(NGINX, `${line.slice(0, from)}${put}${line.slice(from + length)}`);
        expect(tally.parsed + tally.rejected).toBeLessThanOrEqual(2 + put.length);
      }),
      { numRuns: runs(500) },
    );
  });
});

it.each([NGINX, '%a - %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %T'])(
  'no name of a user hides its line: %s',
  (format) => {
    for (const user of ['-', 'x [13/Feb/2026:08:15:30 +0000', 'a [ b', '66.249.66.1']) {
      const line = `198.51.100.7 - ${user} [14/Feb/2026:08:15:30 +0000] "GET /a HTTP/1.1" 401 5 "-" "agent" 0.1`;
      const { requests } = take(format, line);
      expect(requests, user).toMatchObject([
        { client_ip: '198.51.100.7', target: '/a', timestamp: 1771056930000 },
      ]);
    }
  },
);

describe('a text of a client without quotes', () => {
  const texts = [
    ...['$http_user_agent', '$http_cookie', '$request_uri', '$uri', '$http_referer', '$args', '$request'],
    ...['$http_x_forwarded_for', '$proxy_add_x_forwarded_for', '$remote_user', '$cookie_sid', '$arg_q'],
  ];
  const ofServer = ['$remote_addr', '$time_iso8601', '$status', '$http_x_real_ip', '$host', '$request_time'];
  const whole = '"$request" $remote_addr $time_iso8601 $status';

  it.each(texts)(
    'is refused before parts that no client may choose, and accepted in quotes or after them: %s',
    (text) => {
      for (const behind of ofServer) {
        const why = `a client could choose "${behind}" by what it writes into "${text}" before it`;
        for (const between of [' ', '|', '] [', ' $pid ']) {
          const format = `${whole} "-" ${text}${between}${behind}`;
          expect(() => template.open(upload(format)), format).toThrow(why);
        }
        for (const format of [`${whole} "${text}" ${behind}`, `${whole} "${behind}" ${text}`]) {
          expect(() => template.open(upload(format)), format).not.toThrow();
        }
      }
    },
  );

  it.each([
    ['%t %r %>s %a', '%>s', '%r'],
    ['%{User-Agent}i %a %t "%r" %>s', '%a', '%{User-Agent}i'],
    ['%t "%r" %{sid}C %>s %a', '%>s', '%{sid}C'],
    ['%a %t %m %U%q %>s', '%>s', '%U%q'],
    ['%a %u %>s "%r" %t', '%>s', '%u'],
    ['%a %u %t %>s "%r"', '%t', '%u'],
    ['$host|$remote_addr|[$time_local] "$request" $status', '$remote_addr', '$host'],
  ])('is refused in %s', (format, behind, text) => {
    expect(() => template.open(upload(format))).toThrow(`"${behind}" by what it writes into "${text}"`);
  });

  it.each([
    '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
    '$host $remote_addr - $remote_user [$time_local] "$request" $status',
    '%a %t "%m %U%q %H" %>s',
  ])('is safe in %s', (format) => {
    expect(() => template.open(upload(format))).not.toThrow();
  });
});

it('an escaped quote and a space in a path end no pair of quotes', () => {
  const line = String.raw`198.51.100.7 [14/Feb/2026:08:15:30 +0000] "GET /a\" 404 x HTTP/1.1" 200`;
  expect(take('%a %t "%m %U%q %H" %>s', line).requests).toMatchObject([{ status: 200 }]);
});
