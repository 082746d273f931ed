import pino from 'pino';
import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { type HealthServer, startHealthServer } from './health-server.js';

let server: HealthServer;
afterEach(() => server.close());

async function start(ready: () => boolean | Promise<boolean>) {
  const registry = new Registry();
  new Counter({ name: 'rows_total', help: 'Rows', registers: [registry] }).inc(7);
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    ready,
    registry,
    logger: pino({ level: 'silent' }),
  });
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
}

test('it is alive from the first moment, and ready only when the service is', async () => {
  let ready = false;
  const get = await start(() => ready);
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(503);
  ready = true;
  expect((await get('/readyz')).status).toBe(200);
});

test('a question for readiness that fails is a no', async () => {
  const get = await start(() => Promise.reject(new Error('away')));
  expect((await get('/readyz')).status).toBe(503);
});

test('metrics are those of the registry; other paths and methods are told so', async () => {
  const get = await start(() => true);
  expect((await get('/metrics')).text).toContain('rows_total 7');
  expect((await get('/')).status).toBe(404);
  expect((await get('/healthz', { method: 'POST' })).status).toBe(405);
});
