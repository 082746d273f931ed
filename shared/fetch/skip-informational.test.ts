import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FetchError } from './fetch-error.js';
import { createFetcher } from './fetcher.js';
import { createInformationalFilter } from './skip-informational.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Output of the filter for a text in pieces of `size` bytes. */
function filtered(text: string, size: number): string {
  const filter = createInformationalFilter();
  const bytes = Buffer.from(text);
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) kept.push(filter(bytes.subarray(at, at + size)));
  return Buffer.concat(kept).toString();
}

describe('the bytes of a server', () => {
  test.each([1, 2, 7, 12, 13, 1_000])(
    'in pieces of %i are the final response, without informational ones',
    (size) => {
      expect(filtered(CONTINUE + HINTS + CONTINUE + ANSWER + CONTINUE, size)).toBe(ANSWER + CONTINUE);
    },
  );

  test.each([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\nraw'],
    ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
    ['few bytes that are no HTTP', 'no'],
    ['more of them than are skipped', CONTINUE],
    ['a head without an end', `HTTP/1.1 100 ${'x'.repeat(20_000)}`],
  ])('that are %s are left to the parser', (_, text) => {
    const begun = text === CONTINUE ? CONTINUE.repeat(10) : '';
    expect(filtered(begun + text, 5)).toBe(text);
  });
});

async function serve(onData: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => onData(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

function post(url: string) {
  const fetch = createFetcher({ userAgent: 'test', loopback: { ports: [Number(new URL(url).port)] } });
  return fetch(url, {
    maxBytes: 100,
    maxInflatedBytes: 100,
    maxRedirects: 0,
    timeoutMs: 5_000,
    post: { body: Buffer.from('{}'), contentType: 'application/json' },
  });
}

test('a receiver that sends 100 Continue before the response has received the message', async () => {
  const url = await serve((socket) => {
    socket.write(CONTINUE);
    setTimeout(() => socket.write(`${CONTINUE}HTTP/1.1 2`), 20);
    setTimeout(() => socket.end('02 Accepted\r\nContent-Length: 0\r\n\r\n'), 40);
  });
  const { status, discard } = await post(url);
  discard();
  expect(status).toBe(202);
});

test('one that sends only 100 Continue has not', async () => {
  const url = await serve((socket) => socket.write(CONTINUE.repeat(50)));
  await expect(post(url)).rejects.toBeInstanceOf(FetchError);
});
