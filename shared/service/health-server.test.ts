import pino from 'pino';
import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { type HealthOptions, type HealthServer, startHealthServer } from './health-server.js';
import { keptMetrics } from './kept-metrics.js';

let server: HealthServer;
afterEach(() => server.close());

async function start(notReady: () => string | null | Promise<string>) {
  const registry = new Registry();
  new Counter({ name: 'rows_total', help: 'Rows', registers: [registry] }).inc(7);
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    notReady,
    metrics: keptMetrics(registry, Date.now),
    logger: pino({ level: 'silent' }),
  });
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
}

test('it is alive from the start, and ready only when the service is', async () => {
  let reason: string | null = 'it starts';
  const get = await start(() => reason);
  expect((await get('/healthz')).status).toBe(200);
  expect(await get('/readyz')).toEqual({ status: 503, text: '{"status":"not ready","reason":"it starts"}' });
  reason = null;
  expect((await get('/readyz')).status).toBe(200);
});

test('the body includes the service’s details, ready or not', async () => {
  let reason: string | null = null;
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    notReady: () => reason,
    about: () => ({ status_of: 'tables' }),
    logger: pino({ level: 'silent' }),
  });
  const body = () => fetch(`http://127.0.0.1:${server.port}/readyz`).then((answer) => answer.json());
  expect(await body()).toEqual({ status: 'ready', status_of: 'tables' });
  reason = 'it stops';
  expect(await body()).toEqual({ status: 'not ready', reason: 'it stops', status_of: 'tables' });
});

test('a failed readiness check means not ready', async () => {
  const get = await start(() => Promise.reject(new Error('away')));
  expect((await get('/readyz')).status).toBe(503);
});

test('it serves nothing beyond its configuration', async () => {
  const host = { host: '127.0.0.1', port: 0, logger: pino({ level: 'silent' }) };
  const statuses = async (options: Pick<HealthOptions, 'notReady' | 'metrics'>) => {
    server = await startHealthServer({ ...host, ...options });
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${server.port}${path}`).then((answer) => answer.status);
    const found = await Promise.all(['/healthz', '/readyz', '/metrics'].map(get));
    await server.close();
    return found;
  };
  expect(await statuses({ metrics: keptMetrics(new Registry(), Date.now) })).toEqual([404, 404, 200]);
  expect(await statuses({ notReady: () => null })).toEqual([200, 200, 404]);
});

test('metrics are those of the registry; other paths and methods are refused', async () => {
  const get = await start(() => null);
  expect((await get('/metrics')).text).toContain('rows_total 7');
  expect((await get('/')).status).toBe(404);
  expect((await get('/healthz', { method: 'POST' })).status).toBe(405);
});
