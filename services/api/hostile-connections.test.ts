import { connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, uncounted, untouchedStore } from '../../test/harness/api.js';
import { encodedBody } from './answer-cache/encoded-body.js';
import { type ApiService, startApi } from './api-service.js';

let test: TestApi;
let service: ApiService;
const sockets: Socket[] = [];

beforeEach(async () => {
  test = await createTestApi({
    reader: untouchedStore,
    usage: uncounted,
    console: { page: encodedBody('<!doctype html>'), files: [] },
  });
  service = await startApi({
    ...test.options,
    registry: new Registry(),
    host: '127.0.0.1',
    port: 0,
    mostConnections: 100,
    shutdownTimeoutMs: 100,
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.stop();
});

/** Sends a head and then an endless body. Resolves when the server has closed, with its answer and the number of sent bytes. */
function sendEndlessly(head: readonly string[]): Promise<{ text: string; sent: number }> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    const part = 'x'.repeat(16_384);
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
    let text = '';
    const send = () => {
      while (!socket.destroyed && socket.writable && socket.write(chunk));
    };
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    socket.on('drain', () => setImmediate(send));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text, sent: socket.bytesWritten }));
    socket.write(`${head.join('\r\n')}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    send();
  });
}

describe('a call that is refused', () => {
  const segments = () => `/public/v1/websites/${test.website.id}/segments`;
  it.each<[string, number, () => string[]]>([
    ['without a key', 401, () => [`POST ${segments()} HTTP/1.1`]],
    ['with a wrong key', 401, () => [`POST ${segments()} HTTP/1.1`, 'Authorization: Bearer llapi_wrong']],
    [
      'with a read-only key',
      403,
      () => [`POST ${segments()} HTTP/1.1`, `Authorization: Bearer ${test.keys.read}`],
    ],
    ['on an unknown path', 404, () => ['POST /nothing HTTP/1.1']],
    ['by an unsupported method', 405, () => [`POST /public/v1/websites/${test.website.id}/summary HTTP/1.1`]],
    [
      'with a body too large',
      413,
      () => [`POST ${segments()} HTTP/1.1`, `Authorization: Bearer ${test.keys.readWrite}`],
    ],
    ['as a read with a body', 401, () => [`GET /public/v1/websites/${test.website.id}/summary HTTP/1.1`]],
  ])(
    '%s is answered %d and the connection closed, regardless of further data',
    async (_how, status, head) => {
      const { text } = await sendEndlessly(head());
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text).toMatch(/^connection: close\r$/im);
      expect(text).toContain('"detail"');
    },
  );
});

describe('static files', () => {
  it('take no memory for requests whose answers are not read', async () => {
    const path = '/public/v1/docs/swagger-ui-bundle.js';
    const socket = connect(service.port, '127.0.0.1').pause();
    sockets.push(socket);
    socket.on('error', () => {});
    const before = process.memoryUsage();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { arrayBuffers, external } = process.memoryUsage();
    expect(arrayBuffers + external - before.arrayBuffers - before.external).toBeLessThan(16 * 1024 ** 2);
  });

  it('are compressed for callers that accept it', async () => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/public/v1/docs/swagger-ui-bundle.js`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(600_000);
    expect((await answer.text()).length).toBeGreaterThan(1_000_000);
  });
});

describe('refused keys', () => {
  const lines = () =>
    test
      .logged()
      .split('\n')
      .filter((line) => line.includes('API key refused'))
      .map((line) => JSON.parse(line));

  it('write a log line with the address and the request, without the key', async () => {
    const headers = { authorization: 'Bearer llapi_guessed', 'x-request-id': 'mine-1' };
    const answer = await fetch(`http://127.0.0.1:${service.port}/public/v1/websites`, { headers });
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
    expect(lines()).toMatchObject([
      {
        level: 30,
        reason: 'invalid_key',
        remote_address: '127.0.0.1',
        request_id: 'mine-1',
        path: '/public/v1/websites',
      },
    ]);
    expect(test.logged()).not.toContain('guessed');
  });

  it('write a limited number of log lines a minute, then their count', async () => {
    const call = () => test.request('/public/v1/websites', { key: 'llapi_guessed' });
    for (let n = 0; n < 100; n++) await call();
    expect(lines()).toHaveLength(10);
    test.advance(60_000);
    await call();
    expect(lines()).toHaveLength(11);
    expect(lines().at(-1)).toMatchObject({ left_out: 90 });
  });
});

describe('answers', () => {
  it('to the holder of a key are not cacheable and have a fixed content type', async () => {
    for (const key of [test.keys.readWrite, 'llapi_wrong']) {
      const answer = await test.request('/public/v1/websites', { key });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    for (const path of ['/healthz', '/nothing', '/public/v1/openapi.json'])
      expect((await test.request(path, { key: null })).headers.get('x-content-type-options')).toBe('nosniff');
  });
});

it.each(['/oauth/register', '/oauth/token', '/console/sign-in', '/mcp'])(
  'a body of %s that ends early writes no stack trace into the log',
  async (path) => {
    const before = test.logged().length;
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    const type = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json';
    const headers = [
      `Authorization: Bearer ${test.keys.read}`,
      `Content-Type: ${type}`,
      'Content-Length: 100',
    ];
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n{`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const logged = test.logged().slice(before);
    expect(logged).toContain(`"path":"${path}"`);
    expect(logged).not.toMatch(/"status":500|request failed/);
  },
);
