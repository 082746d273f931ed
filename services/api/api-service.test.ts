import { z } from '@hono/zod-openapi';
import { Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { createTestApi, untouchedStore } from '../../test/harness/api.js';
import { startApi } from './api-service.js';
import { websiteRead } from './operation/operation.js';

/** A running service with one operation that ends on command. */
async function start({ shutdownTimeoutMs = 10_000 } = {}) {
  const { options, website, keys } = await createTestApi({ reader: untouchedStore });
  let finish: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun: () => void = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const service = await startApi({
    host: '127.0.0.1',
    port: 0,
    mostConnections: 100,
    shutdownTimeoutMs,
    ...options,
    registry: new Registry(),
    operations: [
      websiteRead({
        id: 'wait',
        tag: 'Test',
        summary: 's',
        description: 'd',
        path: '/wait',
        query: z.object({}),
        answer: z.object({ done: z.boolean() }),
        async run() {
          begun();
          await held;
          return { done: true };
        },
      }),
    ],
  });
  const base = `http://127.0.0.1:${service.port}`;
  const wait = () =>
    fetch(`${base}/public/v1/websites/${website.id}/wait`, {
      headers: { Authorization: `Bearer ${keys.readWrite}` },
    });
  return { service, base, wait, running, finish };
}

describe('startApi', () => {
  it('finishes a running request before it stops, and accepts none after', async () => {
    const { service, base, wait, running, finish } = await start();
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    const answer = wait();
    await running;
    let stopped = false;
    const stopping = service.stop().then(() => {
      stopped = true;
    });
    await expect(fetch(`${base}/healthz`)).rejects.toThrow();
    expect(stopped).toBe(false);
    finish();
    expect(await (await answer).json()).toEqual({ done: true });
    const before = Date.now();
    await stopping;
    expect(Date.now() - before).toBeLessThan(2_000);
  });

  it('stops after the time-out even while a request hangs', async () => {
    const { service, wait, running } = await start({ shutdownTimeoutMs: 50 });
    const answer = wait();
    answer.catch(() => {});
    await running;
    await service.stop();
    await expect(answer).rejects.toThrow();
  });

  it('ends the statement of a caller that closes its connection, and none of a caller that was answered', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    let answers = false;
    const reader: ClickHouseReader = {
      read: ({ signal }) => {
        signals.push(signal);
        return new Promise((resolve, reject) => {
          if (answers) resolve([]);
          signal?.addEventListener('abort', () => reject(new Error('ended')));
        });
      },
    };
    const { options, website, keys } = await createTestApi({ reader });
    const ask = websiteRead({
      id: 'ask',
      tag: 'Test',
      summary: 's',
      description: 'd',
      path: '/ask',
      query: z.object({}),
      answer: z.object({}),
      async run(_, { services }) {
        await services.reader.read({ name: 'q', sql: '', params: {}, row: z.unknown() });
        return {};
      },
    });
    const service = await startApi({
      ...options,
      host: '127.0.0.1',
      port: 0,
      mostConnections: 100,
      shutdownTimeoutMs: 1_000,
      registry: new Registry(),
      operations: [ask],
    });
    const call = (signal: AbortSignal | null = null) =>
      fetch(`http://127.0.0.1:${service.port}/public/v1/websites/${website.id}/ask`, {
        headers: { Authorization: `Bearer ${keys.read}` },
        signal,
      });
    const caller = new AbortController();
    const gone = call(caller.signal);
    gone.catch(() => {});
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    caller.abort();
    await expect(gone).rejects.toThrow();
    await vi.waitFor(() => expect(signals[0]!.aborted).toBe(true));
    answers = true;
    expect((await call()).status).toBe(200);
    await service.stop();
    expect(signals[1]!.aborted).toBe(false);
  });

  it('rejects if the address is in use', async () => {
    const { service } = await start();
    const { options } = await createTestApi({ reader: untouchedStore });
    await expect(
      startApi({
        host: '127.0.0.1',
        port: service.port,
        mostConnections: 100,
        shutdownTimeoutMs: 1,
        ...options,
        registry: new Registry(),
      }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await service.stop();
  });
});
