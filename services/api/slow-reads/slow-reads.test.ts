import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSlowReads, LONG_READ_MS } from './slow-reads.js';

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
    (_timeLeft: () => number) =>
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

function create(options: { places?: number; maxKept?: number } = {}) {
  return createSlowReads({ deadlineMs: DEADLINE_MS, now: () => Date.now(), sleep, ...options });
}

describe('answer-or-buffer', () => {
  it('answers in time with the value, and reads again the next time', async () => {
    const reads = create();
    let count = 0;
    const read = slowRead(100, () => ++count);
    const first = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toEqual({ ready: true, value: 1 });
    const second = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(100);
    expect(await second).toEqual({ ready: true, value: 2 });
  });

  it('answers not ready at the deadline, and gives the finished answer to the repeated call without a second read', async () => {
    const reads = create();
    const read = slowRead(20_000, () => 'rows');
    const first = reads.answer('k', 'k', read);
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
    expect(await reads.answer('k', 'k', read)).toEqual({ ready: true, value: 'rows' });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('lets a caller with a partial answer wait less, and continues the read', async () => {
    const reads = create();
    const read = slowRead(5_000, () => 'rows');
    const first = reads.answer('k', 'k', read, 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await first).toEqual({ ready: false });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await reads.answer('k', 'k', read, 1_000)).toEqual({ ready: true, value: 'rows' });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('lets a repeated call wait for the running read and answers as soon as it ends', async () => {
    const reads = create();
    const read = slowRead(10_000, () => 'rows');
    const first = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await first).toEqual({ ready: false });
    const second = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await second).toEqual({ ready: true, value: 'rows' });
    expect(read).toHaveBeenCalledTimes(1);
    const third = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await third).toEqual({ ready: false });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('returns a late answer once, then reads again', async () => {
    const reads = create();
    const read = slowRead(9_000, () => 'rows');
    void reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await reads.answer('k', 'k', read)).toEqual({ ready: true, value: 'rows' });
    void reads.answer('k', 'k', read);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  });

  it('drops a finished answer after five minutes', async () => {
    const reads = create();
    const read = slowRead(9_000, () => 'rows');
    void reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(9_000 + 5 * 60_000 + 1);
    void reads.answer('k', 'k', read);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  });

  it('throws the failure of a background read in the call that fetches it, and only there', async () => {
    const reads = create();
    const read = slowRead(9_000, (): string => {
      throw new Error('engine away');
    });
    const first = reads.answer('k', 'k', read);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await first).toEqual({ ready: false });
    await expect(reads.answer('k', 'k', read)).rejects.toThrow('engine away');
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('never mixes two questions', async () => {
    const reads = create();
    const first = reads.answer(
      'a',
      'a',
      slowRead(10, () => 'a'),
    );
    const second = reads.answer(
      'b',
      'b',
      slowRead(10, () => 'b'),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect([await first, await second]).toEqual([
      { ready: true, value: 'a' },
      { ready: true, value: 'b' },
    ]);
  });

  it('runs one read per organisation and a limited number in total; the others wait and are answered', async () => {
    const reads = create({ places: 2 });
    let running = 0;
    let most = 0;
    const ran: string[] = [];
    const read = (name: string, durationMs: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, durationMs));
      running -= 1;
      ran.push(name);
      return name;
    };
    const answers = [
      reads.answer('a1', 'a', read('a1', 1_000)),
      reads.answer('a2', 'a', read('a2', 1_000)),
      reads.answer('b1', 'b', read('b1', 1_500)),
      reads.answer('c1', 'c', read('c1', 1)),
    ];
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(ran).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(most).toBe(2);
    for (const answer of answers) expect((await answer).ready).toBe(true);
  });

  it('answers "not ready" while the read waits, and passes it the remaining time', async () => {
    const reads = create({ places: 1 });
    const left: number[] = [];
    const read = async (timeLeft: () => number) => {
      left.push(timeLeft());
      await new Promise((resolve) => setTimeout(resolve, 50_000));
      left.push(timeLeft());
    };
    void reads.answer('a', 'a', read);
    const waits = reads.answer('b', 'b', read);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await waits).toEqual({ ready: false });
    expect(left).toEqual([LONG_READ_MS]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(left).toEqual([LONG_READ_MS, LONG_READ_MS - 50_000, LONG_READ_MS, LONG_READ_MS - 50_000]);
  });
});
