import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { createBoundedServer } from '../../../shared/bounded-server/bounded-server.js';
import { PublicError } from '../../../shared/errors.js';
import { signFile } from '../../../shared/files/signed-link.js';
import type { ApiServices } from '../operation/operation.js';
import { fileRoutes } from './file-routes.js';

const SECRET = Buffer.alloc(32, 7);
const KEY = 'web_1/exports/exp_1/1/rows.csv';
const BYTES = 64 * 1024 ** 2;
const CHUNK = Buffer.alloc(64 * 1024);

let server: ReturnType<typeof createBoundedServer>;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Files that are larger than the buffers of a socket. */
async function start(chunksOf: () => Iterable<Buffer> = () => Array(BYTES / CHUNK.length).fill(CHUNK)) {
  const opened: Readable[] = [];
  const local = {
    secret: SECRET,
    stat: async () => ({ bytes: BYTES }),
    async open() {
      const bytes = Readable.from(chunksOf(), { objectMode: false });
      opened.push(bytes);
      return bytes;
    },
  };
  const services = {
    files: { local },
    control: { state: () => ({ websites: new Map(), exports: new Map() }) },
  } as unknown as Pick<ApiServices, 'files' | 'control'>;
  const app = new Hono().route('/', fileRoutes(services, Date.now));
  app.onError((error, c) => c.text(error.message, error instanceof PublicError ? 503 : 500));
  server = createBoundedServer(getRequestListener(app.fetch), { mostConnections: 100, now: Date.now });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = signFile(SECRET, base, { key: KEY, expiresAt: Date.now() + 60_000, name: 'rows.csv' });
  return { opened, get: (signal?: AbortSignal) => fetch(link, signal ? { signal } : {}) };
}

test('a file is read no faster than the client reads it, and its slot is free after a disconnect', async () => {
  const { opened, get } = await start();
  const leaving = new AbortController();
  for (let n = 0; n < 4; n++) expect((await get(leaving.signal)).status).toBe(200);
  expect((await get()).status).toBe(503);
  expect(opened.some(({ readableEnded }) => readableEnded)).toBe(false);
  leaving.abort();
  await vi.waitFor(() => expect(opened.every(({ destroyed }) => destroyed)).toBe(true));
  const answer = await get();
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBe(BYTES);
});

test('the slot of a file with a read error is free', async () => {
  const { get } = await start(function* () {
    yield CHUNK;
    throw new Error('the disk is gone');
  });
  for (let n = 0; n < 6; n++) await expect(get().then((answer) => answer.arrayBuffer())).rejects.toThrow();
});
