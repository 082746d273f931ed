import { describe, expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

/** A client with `Authorization: Basic …` chooses the name that servers log, even if it is refused. */
const line = (address: string, user: string, more = '') =>
  `${address} - ${user} [14/Feb/2026:08:15:30 +0000] "GET /a HTTP/1.1" 401 5 "-" "agent"${more}\n`;
const honest = line('198.51.100.7', '-');

it.each(['10.0.0.1', 'example.com 10.0.0.1', '- 10.0.0.1', 'unix:', 'crawl.example.com'])(
  'the name of a user is never the client, behind a proxy either: %s',
  (address) => {
    const { requests } = takeBody(Buffer.from(line(address, '66.249.66.1', ' "198.51.100.7"')));
    expect(requests.map((request) => request.client_ip)).not.toContain('66.249.66.1');
  },
);

it('a proxy’s forwarded address is the client beside a name that is an address', () => {
  const { requests } = takeBody(Buffer.from(line('10.0.0.1', '66.249.66.1', ' "198.51.100.7"')));
  expect(requests.map((request) => request.client_ip)).toEqual(['198.51.100.7']);
});

it.each([
  'x [13/Feb/2026:08:15:30 +0000]',
  '[13/Feb/2026:08:15:30.655]',
  '[13/Feb/2026:08:15:30 +0000] \\"GET',
])('a name that looks like a time hides neither its own line nor others: %s', (user) => {
  const { requests, tally } = takeBody(Buffer.from(line('198.51.100.7', user) + honest));
  expect(tally.source).toBe('combined');
  expect(requests.map(({ timestamp, target }) => [new Date(timestamp).toISOString(), target])).toEqual([
    ['2026-02-14T08:15:30.000Z', '/a'],
    ['2026-02-14T08:15:30.000Z', '/a'],
  ]);
});

it.each([
  'unknown, 203.0.113.9',
  'unknown, 192.0.2.7, 203.0.113.9',
  '"unknown" 203.0.113.9',
  'unknown, unknown, 203.0.113.9',
])('the mark for "none" before a forwarded list is no host: %s', (addresses) => {
  const { requests } = takeBody(Buffer.from(line(addresses, '-')));
  expect(requests.map(({ client_ip, host }) => ({ client_ip, host }))).toEqual([
    { client_ip: '203.0.113.9', host: '' },
  ]);
});

const takeOdd = (odd: string, usual: string, place = 1) => {
  const rest = (path: string) =>
    `[14/Feb/2026:08:15:30 +0000] "GET ${path} HTTP/1.1" 401 5 "-" "Mozilla/5.0 (X11)"`;
  const lines = [`${usual} ${rest('/')}`, `${usual} ${rest('/')}`, `${usual} ${rest('/')}`];
  lines[place] = `${odd} ${rest('/odd')}`;
  return takeBody(Buffer.from(lines.join('\n'))).requests.filter(({ target }) => target === '/odd');
};

describe.each([0, 1, 2])('at place %i', (place) => {
  it.each([
    ['66.249.66.1 10.0.0.1 - -', 'shop.example.com 10.0.0.1 - -'],
    ['66.249.66.1 198.51.100.7 - bob', 'shop.example.com 198.51.100.7 - -'],
  ])('a requested host is not the address among lines with a host name: %s', (odd, usual) => {
    expect(takeOdd(odd, usual, place)).toMatchObject([
      { client_ip: usual.split(' ')[1], host: '66.249.66.1' },
    ]);
  });

  it.each([
    ['evil.example.com 203.0.113.9 - -', '203.0.113.9'],
    ['198.51.100.7 10.0.0.2 - -', '198.51.100.7'],
  ])('a forwarded address is no host among lines that have one: %s', (odd, client_ip) => {
    expect(takeOdd(odd, '198.51.100.8 10.0.0.1 - -', place)).toMatchObject([{ client_ip }]);
  });
});

it('a forwarded address alone in an upload is the client', () => {
  const { requests } = takeBody(Buffer.from(line('198.51.100.7 10.0.0.1', '-')));
  expect(requests).toMatchObject([{ client_ip: '198.51.100.7', host: '' }]);
});

it.each(['66.249.66.1', '66.249.66.1 x y', '66.249.66.1, x', '66.249.66.1, 66.249.66.2'])(
  'the name of a user replaces no address where lines have no ident: %s',
  (user) => {
    const addresses = takeOdd(`198.51.100.7 ${user}`, '198.51.100.7 -').map(({ client_ip }) => client_ip);
    expect(addresses).not.toContain('66.249.66.1');
    expect(addresses).not.toContain('66.249.66.2');
  },
);
