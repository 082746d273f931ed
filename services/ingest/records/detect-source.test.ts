import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/** A visitor's text decides nothing: the source is recognised by columns and names that the server writes. */

const TIME = '[14/Feb/2026:08:15:30 +0000]';
const haproxy = (path: string, agent = 'a') =>
  `192.0.2.1:5 [14/Feb/2026:08:15:30.655] www web/web1 0/0/0/5/5 200 5 - - ---- 1/1/1/1/0 0/0 {${agent}} "GET ${path} HTTP/1.1"`;

/** A line or record of each source, with a path and a user agent. */
const sources: Readonly<Record<string, (path: string, agent: string) => string>> = {
  bunny: (path, agent) =>
    `HIT|200|1771056930000|5|1|192.0.2.1|-|https://h.example${path}|WA|${agent}|0123456789abcdef|DE`,
  'envoy-text': (path, agent) =>
    `[2026-02-14T08:15:30.100Z] "GET ${path} HTTP/1.1" 200 - 0 5 9 8 "192.0.2.1" "${agent}" "id" "h.example" "10.0.0.1:80"`,
  'nginx-proxy-manager': (path, agent) =>
    `${TIME} - 200 200 - GET https h.example "${path}" [Client 192.0.2.1] [Length 5] [Gzip -] [Sent-to 10.0.0.3] "${agent}" "-"`,
  combined: (path, agent) => `192.0.2.1 - - ${TIME} "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"`,
  haproxy,
  s3: (path, agent) =>
    `${'a'.repeat(64)} bucket ${TIME} 192.0.2.1 - ID REST.GET.OBJECT k "GET ${path} HTTP/1.1" 200 - 5 5 9 8 "-" "${agent}" -`,
  loglane: (path, agent) =>
    JSON.stringify({
      timestamp: '2026-02-14T08:15:30Z',
      client_ip: '192.0.2.1',
      method: 'GET',
      path,
      status: 200,
      user_agent: agent,
      message: `GET ${path} ${agent}`,
    }),
  // Vector's parse_nginx_log, and its parse_common_log, which has no agent.
  json: (path, agent) =>
    JSON.stringify({
      host: '192.0.2.1',
      timestamp: '2026-02-14T08:15:30Z',
      message: `GET ${path} HTTP/1.1`,
      method: 'GET',
      path,
      protocol: 'HTTP/1.1',
      status: 200,
      size: 5,
      agent,
    }),
};

const written = [
  '[06/Feb/2026:12:14:14.655]',
  ' [06/Feb/2026:12:14:14.655] ',
  '1:1 [06/Feb/2026:12:14:14.655] a b/c 0/0/0/0/0 200',
  '[14/Feb/2026:08:15:30 +0000] ',
  '192.0.2.9 - - [14/Feb/2026:08:15:30 +0000] ',
  '] [Length 1] [Client 192.0.2.9] ',
  'HIT|200|1771056930000|5',
  '#Fields: date time',
  haproxy('/x').replaceAll('"', '').replace('{a} ', ''),
];

/** Spaces and bars are escaped if the server does that. */
const texts = written.flatMap((text) => [text, text.replaceAll(' ', '%20').replaceAll('|', '%7C')]);

describe.each(Object.entries(sources))('a batch of %s', (name, write) => {
  it.each(texts)('keeps its source for any text in its first request: %j', (text) => {
    const usual = Array.from({ length: 3 }, (_, at) => write(`/${at}`, 'Mozilla/5.0'));
    for (const first of [write(`/first?a=${text}`, 'Mozilla/5.0'), write('/first', text)]) {
      const { tally, requests } = takeBody(Buffer.from([first, ...usual].join('\n')));
      expect([first, tally.source]).toEqual([first, name]);
      expect(requests.slice(-3).map(({ target }) => target)).toEqual(['/0', '/1', '/2']);
    }
  });
});

it.each([
  'started; a visitor asked [06/Feb/2026:12:14:14.655]',
  'GET /a:1 [06/Feb/2026:12:14:14.655]',
  'a "GET /1.1.1.1:1 [06/Feb/2026:12:14:14.655] a b/c 0/0/0/0/0 200 5"',
  'user of [14/Feb/2026:08:15:30 +0000] logged in',
  'asked for /a[14/Feb/2026:08:15:30 +0000] "x"',
  '2026/02/14 08:15:30 [error] 31#31: open() "/a[14/Feb/2026:08:15:30 +0000] "GET" failed',
])('a line of a program’s own log chooses no source: %j', (line) => {
  for (const first of [line, JSON.stringify({ message: line }), JSON.stringify({ log: `${line}\n` })]) {
    const { tally, requests } = takeBody(Buffer.from(`${first}\n${sources.json!('/1', 'a')}\n`));
    expect([first, tally.source]).toEqual([first, 'json']);
    expect(requests.map(({ target }) => target)).toEqual(['/1']);
  }
});
