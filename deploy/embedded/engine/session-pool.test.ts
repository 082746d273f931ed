import { describe, expect, test } from 'vitest';
import { createSessionPool } from './session-pool.js';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('a session pool', () => {
  test('lends a session to one statement at a time, first come first served', async () => {
    const pool = createSessionPool(['only'], 10);
    const order: string[] = [];
    const first = gate();
    const work = [
      pool.use(async () => {
        order.push('first in');
        await first.opened;
        order.push('first out');
      }),
      pool.use(async () => order.push('second')),
      pool.use(async () => order.push('third')),
    ];
    first.open();
    await Promise.all(work);
    expect(order).toEqual(['first in', 'first out', 'second', 'third']);
  });

  test("refuses statements beyond its queue, with a server's error code", async () => {
    const pool = createSessionPool(['only'], 1);
    const held = gate();
    const running = pool.use(() => held.opened);
    const waiting = pool.use(async () => 'ran');
    await expect(pool.use(async () => 'ran')).rejects.toMatchObject({ code: 202 });
    held.open();
    await running;
    expect(await waiting).toBe('ran');
  });

  test('removes a disconnected caller from the queue, and does not lose the session', async () => {
    const pool = createSessionPool(['only'], 1);
    const held = gate();
    const running = pool.use(() => held.opened);
    const leaving = new AbortController();
    const left = pool.use(async () => 'ran', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 236 });
    const waiting = pool.use(async (session) => session);
    held.open();
    await running;
    expect(await waiting).toBe('only');
  });

  test('gets a session back from work that failed', async () => {
    const pool = createSessionPool(['only'], 0);
    await expect(
      pool.use(async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(await pool.use(async (session) => session)).toBe('only');
  });

  test('drains: accepts no more work, and resolves with the last', async () => {
    const pool = createSessionPool(['one', 'two'], 1);
    const held = gate();
    let done = false;
    const running = pool.use(() => held.opened);
    const drained = pool.drain().then(() => {
      done = true;
    });
    await expect(pool.use(async () => 'ran')).rejects.toMatchObject({ code: 236 });
    expect(done).toBe(false);
    held.open();
    await Promise.all([running, drained]);
    expect(done).toBe(true);
  });
});
