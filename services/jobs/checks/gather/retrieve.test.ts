import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createFetcher } from '../../../../shared/fetch/fetcher.js';
import { startLocalServer } from '../../../../test/harness/local-server.js';
import { beginVisit, visitBounds } from './visit.js';

const BASE = 'https://example.com';
const MAX = 64 * 1024;

async function visitOf(listener: RequestListener, given: Partial<typeof visitBounds> | object = {}) {
  const { port } = await startLocalServer(listener);
  const fetch = createFetcher({
    userAgent: 'checker',
    idleMs: 150,
    resolver: {
      resolve4: () => Promise.reject(new Error('none')),
      resolve6: () => Promise.reject(new Error('none')),
    },
    loopback: { origins: new Map([[BASE, port]]) },
  });
  const bounds = { ...visitBounds, pauseMs: 0, pageBytes: MAX, fileBytes: MAX, timeoutMs: 2_000, ...given };
  return beginVisit({ fetch, now: () => performance.now(), signal: new AbortController().signal }, bounds);
}

/** The result of one request. */
async function ask(listener: RequestListener) {
  const answer = await (await visitOf(listener)).fetch(`${BASE}/`, { isPage: true });
  if ('absent' in answer) throw new Error(answer.absent.note);
  return answer;
}

const HTML = { 'content-type': 'text/html' };

test('a page is read, and the checker identifies itself', async () => {
  const agents: unknown[] = [];
  const found = await ask((request, response) => {
    agents.push(request.headers['user-agent']);
    if (request.url === '/') response.writeHead(301, { location: '/home' }).end();
    else response.writeHead(200, HTML).end('<title>Home</title>');
  });
  expect(found).toMatchObject({
    outcome: 'ok',
    status: 200,
    requestedUrl: `${BASE}/`,
    finalUrl: `${BASE}/home`,
    redirects: [{ url: `${BASE}/`, status: 301 }],
    html: { title: 'Home' },
    certificateUntil: null,
  });
  expect(agents).toEqual(['checker', 'checker']);
});

test.each([
  [401, 'blocked'],
  [403, 'blocked'],
  [429, 'blocked'],
  [404, 'missing'],
  [410, 'missing'],
  [400, 'http_error'],
  [451, 'http_error'],
  [500, 'server_error'],
  [503, 'server_error'],
] as const)('status %i is %s', async (status, outcome) => {
  const found = await ask((_, response) => void response.writeHead(status, HTML).end('<title>x</title>'));
  expect(found).toMatchObject({ outcome, status, error: null });
});

test('a browser challenge of a CDN counts as a rejection, with any status', async () => {
  const found = await ask(
    (_, response) => void response.writeHead(503, { 'cf-mitigated': 'challenge' }).end(),
  );
  expect(found).toMatchObject({ outcome: 'blocked', status: 503 });
});

test('a server that hangs is unreachable', async () => {
  expect(await ask(() => {})).toMatchObject({
    outcome: 'unreachable',
    status: null,
    error: { code: 'timeout' },
  });
});

test('a body that breaks off is returned as far as it was read', async () => {
  const found = await ask(
    (_, response) => void response.writeHead(200, HTML).write('<title>Half</title><p>'),
  );
  expect(found).toMatchObject({
    outcome: 'partial',
    status: 200,
    html: { title: 'Half' },
    error: { code: 'timeout' },
  });
});

test('an endless redirect is invalid, and one to a private address is reported as such', async () => {
  const endless = await ask(
    ({ url }, response) => void response.writeHead(302, { location: `${url}a` }).end(),
  );
  expect(endless).toMatchObject({ outcome: 'invalid', error: { code: 'too_many_redirects' } });
  const inside = await ask(
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  );
  expect(inside).toMatchObject({ outcome: 'invalid', error: { code: 'invalid_url' } });
  const metadata = await ask(
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  );
  expect(metadata).toMatchObject({ outcome: 'unreachable', error: { code: 'blocked_address' } });
});

test('an endless page is read up to the page limit', async () => {
  const found = await ask((_, response) => {
    response.writeHead(200, HTML);
    const more = () => {
      if (!response.destroyed) response.write('<title>Long</title>'.padEnd(8_192), () => setImmediate(more));
    };
    more();
  });
  expect(found).toMatchObject({ outcome: 'partial', isCut: true, bytes: MAX, html: { title: 'Long' } });
});

test('a compression bomb is inflated up to the page limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2, ' '));
  const found = await ask(
    (_, response) => void response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(found).toMatchObject({ outcome: 'partial', isCut: true, bytes: MAX });
});

test('a body that cannot be inflated is invalid', async () => {
  const found = await ask(
    (_, response) => void response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('no gzip'),
  );
  expect(found).toMatchObject({ outcome: 'invalid', status: 200, error: { code: 'bad_encoding' } });
});

test.each([
  ['of the header', 'text/html; charset=iso-8859-1', Buffer.from('<title>K\u00e4se</title>', 'latin1')],
  [
    'of the page',
    'text/html',
    Buffer.from('<meta charset="windows-1252"><title>K\u00e4se</title>', 'latin1'),
  ],
  ['that nobody knows', 'text/html; charset=nonsense', Buffer.from('<title>Käse</title>')],
  ['that is not told', '', Buffer.from('<title>Käse</title>')],
])('the charset %s counts', async (_, type, body) => {
  const found = await ask(
    (_request, response) =>
      void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
  );
  expect(found.html?.title).toBe('Käse');
});

test('bytes outside the charset do no harm', async () => {
  const found = await ask(
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(Buffer.from([0xff, 0xfe, 0x3c, 0x61])),
  );
  expect(found.outcome).toBe('ok');
});

test('a text that is no HTML is stored as far as checks need it', async () => {
  const found = await ask(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('# A'.padEnd(50_000)),
  );
  expect(found.html).toBeNull();
  expect(found.text).toHaveLength(20_000);
});

test('a visit ends at its limit of requests or of time', async () => {
  let asked = 0;
  const listener: RequestListener = (_, response) => {
    asked += 1;
    response.end('x');
  };
  const few = await visitOf(listener, { requests: 2 });
  const outcomes = [];
  for (let n = 0; n < 4; n++) {
    const one = await few.fetch(`${BASE}/`);
    outcomes.push('absent' in one ? one.absent.outcome : one.outcome);
  }
  expect(outcomes).toEqual(['ok', 'ok', 'not_checked', 'not_checked']);
  expect(asked).toBe(2);
  const late = await visitOf(listener, { totalMs: 0 });
  expect(await late.fetch(`${BASE}/`)).toMatchObject({ absent: { outcome: 'not_checked' } });
});
