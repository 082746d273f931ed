import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import type { Fetched, FetcherOptions, FetchOptions } from '../../../../shared/fetch/fetcher.js';
import { startLocalServer } from '../../../../test/harness/local-server.js';
import { openFetchSession } from './fetch-session.js';

const LIMITS: FetchOptions = {
  ...{ maxBytes: 1_000_000, maxInflatedBytes: 1_000_000 },
  ...{ maxRedirects: 0, follow: false, timeoutMs: 20_000 },
};

async function serve(
  listener: Parameters<typeof startLocalServer>[0],
  options: Partial<FetcherOptions> = {},
) {
  const server = await startLocalServer(listener);
  const session = openFetchSession({ userAgent: 'x', loopback: { ports: [server.port] }, ...options });
  onTestFinished(() => session.close());
  return { ...server, ...session, base: `http://127.0.0.1:${server.port}` };
}

async function textOf({ body }: Fetched): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fetched',
    (error: unknown) => (error instanceof FetchError ? error.code : String(error)),
  );

test('fetches of a session share connections, also after small discarded bodies and informational responses', async () => {
  const { fetch, base, connections } = await serve((request, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    if (request.url === '/gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('inflated'));
    else response.writeHead(301, { location: 'http://10.0.0.1/' }).end('moved');
  });
  for (let round = 0; round < 3; round += 1) {
    expect(await textOf(await fetch(`${base}/gzip`, LIMITS))).toBe('inflated');
    const moved = await fetch(base, LIMITS);
    expect([moved.status, moved.headers.get('location'), moved.redirects]).toEqual([
      301,
      'http://10.0.0.1/',
      [],
    ]);
    moved.discard();
  }
  // The next fetch does not wait until the discarded body was read.
  expect(connections()).toBeLessThanOrEqual(2);
});

test('a large discarded body ends its connection, and the next fetch opens another', async () => {
  let closed = 0;
  const { fetch, base } = await serve((request, response) => {
    if (request.url === '/small') return void response.end('ok');
    response.on('close', () => {
      closed += 1;
    });
    response.write('x'.repeat(200_000));
  });
  (await fetch(base, LIMITS)).discard();
  await expect.poll(() => closed).toBe(1);
  for await (const _ of (await fetch(base, LIMITS)).body) break;
  await expect.poll(() => closed).toBe(2);
  expect(await textOf(await fetch(`${base}/small`, LIMITS))).toBe('ok');
});

test('each connection is checked: a host name that resolves to a private address later is not connected to', async () => {
  const addresses = ['127.0.0.1', '169.254.169.254'];
  const { fetch, port, connections } = await serve(
    (_, response) => response.writeHead(200, { connection: 'close' }).end('own'),
    { resolver: { resolve4: async () => addresses.splice(0, 1), resolve6: async () => [] } },
  );
  const url = `http://shop.example:${port}/`;
  expect(await textOf(await fetch(url, LIMITS))).toBe('own');
  expect(await codeOf(fetch(url, LIMITS))).toBe('blocked_address');
  expect(connections()).toBe(1);
});

test('a fetch ends by its timeout and by its signal, with a silent DNS and with a slow body; other fetches continue', async () => {
  const never = () => new Promise<string[]>(() => {});
  const { fetch, base } = await serve(
    (request, response) => {
      if (request.url === '/small') return void response.end('ok');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
    { resolver: { resolve4: never, resolve6: never } },
  );
  const short = { ...LIMITS, timeoutMs: 200 };
  expect(await codeOf(fetch('https://shop.example/', short))).toBe('timeout');
  expect(await codeOf(fetch(`${base}/drip`, short).then(textOf))).toBe('timeout');
  const signal = AbortSignal.timeout(100);
  expect(await codeOf(fetch(`${base}/drip`, { ...LIMITS, signal }).then(textOf))).toContain('TimeoutError');
  expect(await textOf(await fetch(`${base}/small`, LIMITS))).toBe('ok');
});

test('closing a session ends its running fetches', async () => {
  const { fetch, base, close } = await serve((_, response) => void response.write('x'));
  const reading = fetch(base, LIMITS).then(textOf);
  setTimeout(close, 50);
  expect(await codeOf(reading)).toBe('broken');
});
