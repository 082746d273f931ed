import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailableError } from '../event-log.js';
import { partitionOf } from '../partition-of.js';
import { type AppenderOptions, createAppender } from './appender.js';
import type { Batch, Sender } from './producer.js';

/** Brokers that assign offsets from 0 on, when allowed. */
function fakeBrokers() {
  const next = new Map<string, number>();
  const batches: Batch[] = [];
  const state = { failure: null as Error | null, held: null as Promise<void> | null };
  const sender: Sender = {
    async send(batch) {
      batches.push(batch);
      await state.held;
      if (state.failure) throw state.failure;
      const base = new Map(next);
      for (const [topic, messages] of batch) {
        for (const { partition } of messages) {
          const place = `${topic}/${partition}`;
          if (!base.has(place)) base.set(place, 0);
          next.set(place, (next.get(place) ?? 0) + 1);
        }
      }
      return base;
    },
    renew() {},
    async close() {},
  };
  return { batches, state, sender };
}

describe('the appender', () => {
  let brokers: ReturnType<typeof fakeBrokers>;
  const create = (change: Partial<AppenderOptions> = {}) =>
    createAppender({
      sender: brokers.sender,
      lingerMs: 5,
      ackTimeoutMs: 1_000,
      maxPendingBytes: 10_000,
      ...change,
    });
  const sizes = () =>
    brokers.batches.map((batch) => [...batch.values()].reduce((sum, { length }) => sum + length, 0));

  beforeEach(() => {
    brokers = fakeBrokers();
  });

  it('sends appends within the linger time together, and returns the position of each record', async () => {
    const appender = create();
    const one = appender.append('t', 3, [of('a'), of('b'), of('a')]);
    const two = appender.append('t', 3, [of('a')]);
    const [a, b] = ['a', 'b'].map((key) => partitionOf(key, 3)) as [number, number];
    expect(a).not.toBe(b);
    expect(await one).toEqual([
      { partition: a, offset: 0 },
      { partition: b, offset: 0 },
      { partition: a, offset: 1 },
    ]);
    expect(await two).toEqual([{ partition: a, offset: 2 }]);
    expect(sizes()).toEqual([4]);
  });

  it('has one batch in flight at a time, while the next one accumulates', async () => {
    const appender = create();
    const release = hold(brokers.state);
    const first = appender.append('t', 1, [of('a')]);
    await vi.waitFor(() => expect(brokers.batches).toHaveLength(1));
    const later = Array.from({ length: 20 }, () => appender.append('t', 1, [of('a')]));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(brokers.batches).toHaveLength(1);
    release();
    const offsets = (await Promise.all([first, ...later])).flat().map(({ offset }) => offset);
    expect(offsets).toEqual(Array.from({ length: 21 }, (_, i) => i));
    expect(sizes()).toEqual([1, 20]);
  });

  it('splits an append larger than a batch, and preserves its order', async () => {
    const appender = create();
    const records = Array.from({ length: 7 }, () => ({ key: 'a', value: Buffer.alloc(1024 ** 2) }));
    const positions = await appender.append('t', 1, records);
    expect(positions.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(sizes()).toEqual([4, 3]);
  });

  it('buffers at most maxPendingBytes, but always one append; further ones wait in order', async () => {
    const appender = create();
    const release = hold(brokers.state);
    const appends = [4_000, 4_000, 4_000, 20_000, 100].map((size) =>
      appender.append('t', 1, [{ key: 'a', value: Buffer.alloc(size) }]),
    );
    await vi.waitFor(() => expect(brokers.batches).toHaveLength(1));
    expect(appender.pendingBytes()).toBe(8_000);
    release();
    const offsets = (await Promise.all(appends)).flat().map(({ offset }) => offset);
    expect(offsets).toEqual([0, 1, 2, 3, 4]);
    await appender.drain();
    expect(appender.pendingBytes()).toBe(0);
  });

  it('rejects appends in flight, queued or waiting for space at the timeout, and sends nothing more of them', async () => {
    const appender = create({ ackTimeoutMs: 300 });
    const release = hold(brokers.state);
    const first = appender.append('t', 1, [of('a')]);
    await vi.waitFor(() => expect(brokers.batches).toHaveLength(1));
    const second = appender.append('t', 1, [{ key: 'a', value: Buffer.alloc(9_000) }]);
    const third = appender.append('t', 1, [{ key: 'a', value: Buffer.alloc(9_000) }]);
    for (const one of await Promise.allSettled([first, second, third])) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailableError) });
    }
    expect(appender.pendingBytes()).toBe(0);
    release();
    await appender.drain();
    expect(brokers.batches).toHaveLength(1);
    expect(await appender.append('t', 1, [of('a')])).toEqual([{ partition: 0, offset: 1 }]);
  });

  it('rejects with LogUnavailableError if the brokers refuse, and continues', async () => {
    const appender = create();
    brokers.state.failure = new Error('NOT_ENOUGH_REPLICAS');
    await expect(appender.append('t', 1, [of('a')])).rejects.toBeInstanceOf(LogUnavailableError);
    brokers.state.failure = null;
    expect(await appender.append('t', 1, [of('a')])).toHaveLength(1);
  });

  it('refuses a record that the brokers would never accept', async () => {
    const value = Buffer.alloc(8 * 1024 ** 2);
    await expect(create().append('t', 1, [{ key: 'a', value }])).rejects.toBeInstanceOf(RangeError);
  });
});

function of(key: string) {
  return { key, value: Buffer.from('value') };
}

function hold(state: { held: Promise<void> | null }): () => void {
  let release = () => {};
  state.held = new Promise((resolve) => {
    release = resolve;
  });
  return () => {
    state.held = null;
    release();
  };
}
