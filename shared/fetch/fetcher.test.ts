import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startLocalServer } from '../../test/harness/local-server.js';
import { FetchError } from './fetch-error.js';
import { createFetcher, type Fetched, type FetcherOptions, type FetchOptions } from './fetcher.js';

const LIMITS: FetchOptions = {
  maxBytes: 1_000_000,
  maxInflatedBytes: 1_000_000,
  maxRedirects: 5,
  timeoutMs: 20_000,
};

async function textOf({ body }: Fetched): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A fetcher that may reach only one local server. */
async function serve(listener: RequestListener, options: Partial<FetcherOptions> = {}) {
  const server = await startLocalServer(listener);
  const fetch = createFetcher({ userAgent: 'Loglane-Test', loopback: { ports: [server.port] }, ...options });
  return { ...server, fetch, base: `http://127.0.0.1:${server.port}` };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fetched',
    (error: unknown) => (error instanceof FetchError ? error.code : String(error)),
  );

describe('a fetch', () => {
  test('returns status, headers, the final URL and the redirects on the way, and sends the service’s user agent', async () => {
    const seen: (string | undefined)[] = [];
    const { fetch, base } = await serve((request, response) => {
      seen.push(request.headers['user-agent']);
      if (request.url === '/a') return response.writeHead(301, { location: '/b' }).end('moved');
      if (request.url === '/b') return response.writeHead(302, { location: '/c?x=1#part' }).end();
      return response.writeHead(404, { 'x-told': 'yes' }).end('none here');
    });
    const answer = await fetch(`${base}/a#top`, LIMITS);
    expect(answer).toMatchObject({
      finalUrl: `${base}/c?x=1`,
      redirects: [
        { url: `${base}/a`, status: 301 },
        { url: `${base}/b`, status: 302 },
      ],
      status: 404,
    });
    expect(answer.headers.get('x-told')).toBe('yes');
    expect(await textOf(answer)).toBe('none here');
    expect(seen).toEqual(['Loglane-Test', 'Loglane-Test', 'Loglane-Test']);
  });

  test('posts a body with its type, and follows no redirect with it', async () => {
    const seen: unknown[] = [];
    const { fetch, base } = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { 'content-type': type, 'content-length': length, 'x-own': own } = request.headers;
      seen.push([request.method, request.url, type, length, own, Buffer.concat(chunks).toString()]);
      if (request.url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end();
      else response.writeHead(202).end('taken');
    });
    const post = { body: Buffer.from('{"ü":1}'), contentType: 'application/json' };
    const taken = await fetch(`${base}/hook?a=1`, { ...LIMITS, post, headers: { 'X-Own': 'yes' } });
    expect([taken.status, await textOf(taken)]).toEqual([202, 'taken']);
    const moved = await fetch(`${base}/moved`, { ...LIMITS, post });
    moved.discard();
    expect([moved.status, moved.redirects]).toEqual([307, []]);
    expect(seen).toEqual([
      ['POST', '/hook?a=1', 'application/json', '8', 'yes', '{"ü":1}'],
      ['POST', '/moved', 'application/json', '8', undefined, '{"ü":1}'],
    ]);
  });

  test('follows redirects up to the limit', async () => {
    const { fetch, base } = await serve((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) return response.end('there');
      return response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await textOf(await fetch(`${base}/3`, { ...LIMITS, maxRedirects: 3 }))).toBe('there');
    expect(await codeOf(fetch(`${base}/4`, { ...LIMITS, maxRedirects: 3 }))).toBe('too_many_redirects');
  });

  test('reports each hop before its request, and sends none to a refused hop', async () => {
    const asked: string[] = [];
    const { fetch, base } = await serve((request, response) => {
      asked.push(request.url!);
      response.writeHead(302, { location: `${request.url}a` }).end();
    });
    const told: string[] = [];
    const onRedirect = ({ pathname }: URL) => {
      told.push(pathname);
      if (pathname === '/aa') throw new Error('no further');
    };
    await expect(fetch(`${base}/`, { ...LIMITS, onRedirect })).rejects.toThrow('no further');
    expect([told, asked]).toEqual([
      ['/a', '/aa'],
      ['/', '/a'],
    ]);
  });

  test('sends credentials to no other origin', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await startLocalServer((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const { fetch, base } = await serve(
      (request, response) => {
        seen.push(request.headers);
        response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
      },
      { loopback: { ports: [other.port] } },
    ).then(async (made) => ({
      ...made,
      fetch: createFetcher({ userAgent: 'x', loopback: { ports: [made.port, other.port] } }),
    }));
    const headers = { Authorization: 'secret', Cookie: 'a=b', 'If-None-Match': '"1"' };
    await textOf(await fetch(base, { ...LIMITS, headers }));
    expect(seen[0]).toMatchObject({ authorization: 'secret', cookie: 'a=b', 'if-none-match': '"1"' });
    expect(seen[1]).toMatchObject({ 'if-none-match': '"1"' });
    expect(seen[1]).not.toHaveProperty('authorization');
    expect(seen[1]).not.toHaveProperty('cookie');
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('inflates %s', async (encoding, encode) => {
    const text = 'User-agent: *\n'.repeat(500);
    const { fetch, base } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(text)),
    );
    expect(await textOf(await fetch(base, LIMITS))).toBe(text);
  });

  test('accepts a body up to both limits and refuses larger ones, without buffering it', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { fetch, base } = await serve((request, response) => {
      if (request.url === '/bomb') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      return response.end('x'.repeat(1_000));
    });
    expect(await textOf(await fetch(base, { ...LIMITS, maxBytes: 1_000 }))).toHaveLength(1_000);
    expect(await codeOf(fetch(base, { ...LIMITS, maxBytes: 999 }).then(textOf))).toBe('too_large');
    let inflated = 0;
    const { body } = await fetch(`${base}/bomb`, LIMITS);
    const read = async () => {
      for await (const chunk of body) inflated += chunk.length;
    };
    expect(await codeOf(read())).toBe('too_large');
    expect(inflated).toBeLessThanOrEqual(LIMITS.maxInflatedBytes);
  });

  test.each([
    ['gzip', 'no gzip at all'],
    ['br', 'no brotli, not at all'],
    ['gzip, gzip', 'stacked'],
    ['zstd', 'unknown'],
  ])('reports a body that is not the %s that its header declares', async (encoding, text) => {
    const { fetch, base } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(text),
    );
    expect(await codeOf(fetch(base, LIMITS).then(textOf))).toBe('bad_encoding');
  });

  test('reports gzip that breaks off in the middle', async () => {
    const whole = gzipSync(Buffer.from('x'.repeat(10_000)));
    const { fetch, base } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, 20)),
    );
    expect(await codeOf(fetch(base, LIMITS).then(textOf))).toBe('bad_encoding');
  });

  test('ends at the total timeout, even while bytes keep coming, and in the middle of a body', async () => {
    const { fetch, base } = await serve((request, response) => {
      if (request.url === '/silent') return;
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const short = { ...LIMITS, timeoutMs: 300 };
    expect(await codeOf(fetch(`${base}/silent`, short))).toBe('timeout');
    expect(await codeOf(fetch(`${base}/drip`, short).then(textOf))).toBe('timeout');
  });

  test('ends at the total timeout if DNS never answers', async () => {
    const never = () => new Promise<string[]>(() => {});
    const fetch = createFetcher({ userAgent: 'x', resolver: { resolve4: never, resolve6: never } });
    expect(await codeOf(fetch('https://shop.example/', { ...LIMITS, timeoutMs: 200 }))).toBe('timeout');
  });

  test('aborts a stalled body long before the total timeout', async () => {
    const { fetch, base } = await serve((_, response) => void response.write('x'), { idleMs: 200 });
    expect(await codeOf(fetch(base, LIMITS).then(textOf))).toBe('timeout');
  });

  test('ends when its caller aborts it, with the caller’s reason', async () => {
    const { fetch, base } = await serve((_, response) => void response.write('x'));
    const controller = new AbortController();
    const { body } = await fetch(base, { ...LIMITS, signal: controller.signal });
    const reading = (async () => {
      for await (const _ of body) controller.abort(new Error('enough'));
    })();
    expect(await codeOf(reading)).toBe('Error: enough');
    const aborted = AbortSignal.abort(new Error('before'));
    expect(await codeOf(fetch(base, { ...LIMITS, signal: aborted }))).toBe('Error: before');
  });

  test('closes the connection when its reader stops early, and when nobody reads', async () => {
    let closed = 0;
    const { fetch, base } = await serve((_, response) => {
      response.on('close', () => {
        closed += 1;
      });
      response.write('x'.repeat(100));
    });
    for await (const _ of (await fetch(base, LIMITS)).body) break;
    await expect.poll(() => closed).toBe(1);
    await fetch(base, { ...LIMITS, timeoutMs: 200 });
    await expect.poll(() => closed).toBe(2);
  });

  test('closes the connection of a discarded body before the timeout, for any response', async () => {
    let closed = 0;
    const { fetch, base } = await serve((_, response) => {
      response.on('close', () => {
        closed += 1;
      });
      response.writeHead(404, { 'content-encoding': 'gzip' }).write('no gzip');
    });
    const { status, discard } = await fetch(base, LIMITS);
    discard();
    expect(status).toBe(404);
    await expect.poll(() => closed).toBe(1);
  });

  test('distinguishes a refused connection, broken HTTP, broken TLS and a name without address', async () => {
    const nobody = await startLocalServer(() => {});
    const { fetch, base, port } = await serve((request, response) => {
      if (request.url === '/cut') return void response.destroy();
      return void request.socket.end('SSH-2.0-none\r\n');
    });
    expect(await codeOf(fetch(`${base}/cut`, LIMITS))).toBe('broken');
    expect(await codeOf(fetch(`${base}/ssh`, LIMITS))).toBe('broken');
    expect(await codeOf(fetch(`https://127.0.0.1:${port}/`, LIMITS))).toBe('tls');
    const none = { resolve4: async () => [], resolve6: () => Promise.reject(new Error('ENODATA')) };
    const lost = createFetcher({ userAgent: 'x', resolver: none, loopback: { ports: [1, nobody.port] } });
    expect(await codeOf(lost('http://shop.example/', LIMITS))).toBe('dns');
    expect(await codeOf(lost('http://127.0.0.1:1/', LIMITS))).toBe('refused');
  });

  test('tries the next address of a name if one refuses', async () => {
    const { port } = await startLocalServer((_, response) => response.end('second'));
    const resolver = { resolve4: async () => ['127.0.0.2', '127.0.0.1'], resolve6: async () => [] };
    const fetch = createFetcher({ userAgent: 'x', resolver, loopback: { ports: [port] } });
    expect(await textOf(await fetch(`http://shop.example:${port}/`, LIMITS))).toBe('second');
  });
});
