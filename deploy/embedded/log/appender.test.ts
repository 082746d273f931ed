import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { createAppender } from './appender.js';
import type { Placement, Store } from './store.js';

/** A store of one partition. The test ends each write. */
function heldStore() {
  const writes: { offsets: number[]; time: number; end: (error?: Error) => void }[] = [];
  let next = 0;
  const store = {
    partitions: () => 1,
    extent: () => ({ oldest: 0, next }),
    write: (placements: readonly Placement[], time: number) =>
      new Promise<void>((resolve, reject) => {
        const offsets = placements.map(({ offset }) => offset);
        writes.push({
          offsets,
          time,
          end(error) {
            if (error) return reject(error);
            next = offsets.at(-1)! + 1;
            resolve();
          },
        });
      }),
  } as unknown as Store;
  return { store, writes };
}

const record = (bytes = 10) => ({ key: 'k', value: Buffer.alloc(bytes) });

describe('the appender', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes one transaction at a time; later appends share the next', async () => {
    const { store, writes } = heldStore();
    const appender = createAppender({ store, now: () => 5, onAppended() {} });
    const first = appender.append('requests.raw', [record(), record()]);
    await vi.waitFor(() => expect(writes).toHaveLength(1));
    const others = Array.from({ length: 100 }, () => appender.append('requests.raw', [record()]));
    expect(writes).toHaveLength(1);
    writes[0]!.end();
    expect(await first).toEqual([
      { partition: 0, offset: 0 },
      { partition: 0, offset: 1 },
    ]);
    await vi.waitFor(() => expect(writes).toHaveLength(2));
    expect(writes[1]!.offsets).toHaveLength(100);
    writes[1]!.end();
    const positions = (await Promise.all(others)).flat();
    expect(positions.map(({ offset }) => offset)).toEqual([...Array(100).keys()].map((i) => i + 2));
  });

  it('limits a transaction to 8 MB, but never splits a larger append', async () => {
    const { store, writes } = heldStore();
    const appender = createAppender({ store, now: () => 5, onAppended() {} });
    const megabyte = record(1024 ** 2);
    const appends = Array.from({ length: 12 }, () => appender.append('requests.raw', [megabyte]));
    appends.push(appender.append('requests.raw', Array(20).fill(megabyte)));
    for (const [at, count] of [8, 4, 20].entries()) {
      await vi.waitFor(() => expect(writes).toHaveLength(at + 1));
      expect(writes[at]!.offsets).toHaveLength(count);
      writes[at]!.end();
    }
    await Promise.all(appends);
  });

  it('reuses the offsets of a failed transaction, and rejects with LogUnavailableError', async () => {
    const { store, writes } = heldStore();
    const reported: number[] = [];
    const onAppended = () => void reported.push(1);
    const appender = createAppender({ store, now: () => 5, onAppended });
    const failed = appender.append('requests.raw', [record()]);
    await vi.waitFor(() => expect(writes).toHaveLength(1));
    const next = appender.append('requests.raw', [record()]);
    writes[0]!.end(new Error('no space'));
    await expect(failed).rejects.toBeInstanceOf(LogUnavailableError);
    await vi.waitFor(() => expect(writes).toHaveLength(2));
    expect(reported).toEqual([]);
    writes[1]!.end();
    expect(await next).toEqual([{ partition: 0, offset: 0 }]);
    expect(reported).toEqual([1]);
  });

  it('never gives a record an earlier time than its predecessor, even if the clock goes back', async () => {
    const { store, writes } = heldStore();
    const times = [100, 90, 110];
    const appender = createAppender({ store, now: () => times.shift()!, onAppended() {} });
    for (const at of [0, 1, 2]) {
      const done = appender.append('requests.raw', [record()]);
      await vi.waitFor(() => expect(writes).toHaveLength(at + 1));
      writes[at]!.end();
      await done;
    }
    expect(writes.map(({ time }) => time)).toEqual([100, 100, 110]);
  });

  it('rejects appends while the disk hangs, and continues when it recovers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { store, writes } = heldStore();
    const appender = createAppender({ store, now: () => 5, onAppended() {} });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const hanging = appender.append('requests.raw', [record()]);
    await turn();
    const behind = appender.append('requests.raw', [record()]);
    const refusals = Promise.all([
      expect(hanging).rejects.toBeInstanceOf(LogUnavailableError),
      expect(behind).rejects.toBeInstanceOf(LogUnavailableError),
    ]);
    vi.advanceTimersByTime(30_000);
    await refusals;
    await expect(appender.append('requests.raw', [record()])).rejects.toBeInstanceOf(LogUnavailableError);
    writes[0]!.end();
    await turn();
    const after = appender.append('requests.raw', [record()]);
    await turn();
    expect(writes).toHaveLength(2);
    writes[1]!.end();
    expect(await after).toEqual([{ partition: 0, offset: 1 }]);
  });
});
