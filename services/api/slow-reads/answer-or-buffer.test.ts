import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSlowReads, LONG_READ_MS } from './answer-or-buffer.js';

const DEADLINE_MS = 8_000;

function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A read that ends after `durationMs` and counts how often it was started. */
function slowRead<T>(durationMs: number, end: () => T) {
  return vi.fn(
    (_timeoutMs: number) =>
      new Promise<T>((resolve, reject) => {
        setTimeout(() => {
          try {
            resolve(end());
          } catch (error) {
            reject(error);
          }
        }, durationMs);
      }),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function create(options: { maxLong?: number; maxKept?: number } = {}) {
  return createSlowReads({ deadlineMs: DEADLINE_MS, now: () => Date.now(), sleep, ...options });
}

describe('answer-or-buffer', () => {
  it('answers in time with the value, and asks afresh the next time', async () => {
    const reads = create();
    let count = 0;
    const read = slowRead(100, () => ++count);
    const first = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toEqual({ ready: true, value: 1 });
    const second = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(100);
    expect(await second).toEqual({ ready: true, value: 2 });
  });

  it('says not ready at the deadline and gives the finished answer to the repeated call, without a second read', async () => {
    const reads = create();
    const read = slowRead(20_000, () => 'rows');
    const first = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1);
    let settled = false;
    void first.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toEqual({ ready: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await reads.answer('k', read)).toEqual({ ready: true, value: 'rows' });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('lets a repeated call wait for the running read and answers as soon as it ends', async () => {
    const reads = create();
    const read = slowRead(10_000, () => 'rows');
    const first = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await first).toEqual({ ready: false });
    const second = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await second).toEqual({ ready: true, value: 'rows' });
    expect(read).toHaveBeenCalledTimes(1);
    const third = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await third).toEqual({ ready: false });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('hands a late answer out once, then reads again', async () => {
    const reads = create();
    const read = slowRead(9_000, () => 'rows');
    void reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await reads.answer('k', read)).toEqual({ ready: true, value: 'rows' });
    void reads.answer('k', read);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  });

  it('forgets a finished answer after five minutes', async () => {
    const reads = create();
    const read = slowRead(9_000, () => 'rows');
    void reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(9_000 + 5 * 60_000 + 1);
    void reads.answer('k', read);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  });

  it('throws the failure of a background read in the call that fetches it, and only there', async () => {
    const reads = create();
    const read = slowRead(9_000, (): string => {
      throw new Error('engine away');
    });
    const first = reads.answer('k', read);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await first).toEqual({ ready: false });
    await expect(reads.answer('k', read)).rejects.toThrow('engine away');
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('never mixes two questions', async () => {
    const reads = create();
    const first = reads.answer(
      'a',
      slowRead(10, () => 'a'),
    );
    const second = reads.answer(
      'b',
      slowRead(10, () => 'b'),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect([await first, await second]).toEqual([
      { ready: true, value: 'a' },
      { ready: true, value: 'b' },
    ]);
  });

  it('gives only so many reads more time than the deadline, and frees the place when one ends', async () => {
    const reads = create({ maxLong: 2 });
    const limits: number[] = [];
    const read = (durationMs: number) => (timeoutMs: number) => {
      limits.push(timeoutMs);
      return new Promise<null>((resolve) => setTimeout(() => resolve(null), durationMs));
    };
    void reads.answer('a', read(9_000));
    void reads.answer('b', read(90_000));
    void reads.answer('c', read(1));
    await vi.advanceTimersByTimeAsync(9_000);
    void reads.answer('d', read(1));
    await vi.advanceTimersByTimeAsync(90_000);
    expect(limits).toEqual([LONG_READ_MS, LONG_READ_MS, DEADLINE_MS, LONG_READ_MS]);
  });
});
