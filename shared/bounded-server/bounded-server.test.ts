import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBoundedServer } from './bounded-server.js';
import { endSlowReaders } from './end-slow-readers.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const open: (Server | Socket)[] = [];
afterEach(() => {
  for (const one of open.splice(0))
    if ('destroy' in one) one.destroy();
    else one.close();
});

async function start(listener: RequestListener, mostConnections = 100): Promise<Server> {
  const server = createBoundedServer(listener, { mostConnections, now: Date.now });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A connection that reads nothing until `resume`. */
function dial(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => {});
  open.push(socket);
  return socket;
}

describe('pipelined requests', () => {
  it('are served one after the other, in order', async () => {
    let running = 0;
    let most = 0;
    const server = await start(async (request, response) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      response.end(request.url);
    });
    const socket = dial(server);
    socket.write(Array.from({ length: 20 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('/19'));
    expect([...text.matchAll(/^\/(\d+)/gm)].map(([, n]) => Number(n))).toEqual([...Array(20).keys()]);
    expect(most).toBe(1);
  });

  it('close the connection when more than 32 wait', async () => {
    let calls = 0;
    const server = await start(() => void calls++);
    const socket = dial(server);
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(GET.repeat(400));
    await closed;
    expect(calls).toBe(1);
  });

  it('are not served after their client has gone', async () => {
    const seen: string[] = [];
    let leave: () => void = () => {};
    const server = await start((request) => {
      seen.push(request.url!);
      leave();
    });
    const socket = dial(server);
    leave = () => socket.destroy();
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    const [accepted] = (await once(server, 'connection')) as [Socket];
    await once(accepted, 'close');
    await new Promise(setImmediate);
    expect(seen).toEqual(['/1']);
  });
});

it('silent connections beyond the bound are closed', async () => {
  const server = await start((_, response) => response.end(), 8);
  const sockets = Array.from({ length: 40 }, () => dial(server));
  await vi.waitFor(() => expect(sockets.filter((socket) => socket.resume().closed).length).toBe(34));
});

describe('a client that reads its response', () => {
  async function send(bounds: { leastBytes: number; graceMs: number }) {
    const parts = () => Readable.from(Array.from({ length: 4_000 }, () => 'x'.repeat(32_768)));
    const server = await start((_, response) => void parts().pipe(response));
    endSlowReaders(server, Date.now, { lookMs: 20, ...bounds });
    const socket = dial(server);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    socket.write(GET);
    return { socket, accepted };
  }

  it('too slowly is disconnected', async () => {
    const { accepted } = await send({ leastBytes: 1_000, graceMs: 200 });
    await once(accepted, 'close');
    expect(accepted.bytesWritten).toBeLessThan(4_000 * 32_768);
  });

  it('fast enough receives all of it', async () => {
    const { socket } = await send({ leastBytes: 1, graceMs: 10_000 });
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    socket.resume();
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(4_000 * 32_768), { timeout: 20_000 });
  });
});
