import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { createRangeQueue, leastRangeRows, type RangeQueueOptions } from './range-queue.js';

const record = (offset: number, bytes: number): LogRecord => ({
  partition: 0,
  offset,
  key: 'w',
  appendedAt: 0,
  value: Buffer.alloc(bytes),
});

function setUp(planned: RangeQueueOptions['planned'] = null) {
  const voids: string[] = [];
  const limits = { maxRows: 1_000, maxBytes: 100, lingerMs: 1e6 };
  const queue = createRangeQueue({ ...limits, planned, onVoid: () => voids.push('void') });
  const next = async () => {
    const closed = await queue.next(() => false);
    return closed && [closed.records.map(({ offset }) => offset), closed.planned];
  };
  return { queue, next, voids };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 5; turn += 1) await tick();
  return settled;
}

describe('the range queue', () => {
  test('closes a range by bytes, and holds back its producer by bytes', async () => {
    const { queue, next } = setUp();
    expect(await isSettled(queue.push([record(0, 90), record(1, 90)]))).toBe(true);
    const third = queue.push([record(2, 90)]);
    expect(await isSettled(third)).toBe(false);
    expect(await next()).toEqual([[0], false]);
    expect(await isSettled(third)).toBe(true);
    expect(await next()).toEqual([[1], false]);
    queue.close();
  });

  test('gives out a planned range as it was planned, though it is larger than a range may be now', async () => {
    const { queue, next, voids } = setUp({ last: 2, old: true });
    expect(await isSettled(queue.push([0, 1, 2, 3].map((offset) => record(offset, 90))))).toBe(true);
    expect(await next()).toEqual([[0, 1, 2], true]);
    expect(voids).toEqual([]);
    queue.close();
  });

  test('gives up a plan of the first release that is too large to have been stored, and bounds what it holds', async () => {
    const { queue, next, voids } = setUp({ last: 20_000, old: true });
    const megabytes = record(0, 20 * 1024 ** 2);
    for (let offset = 0; offset < 12; offset += 1) {
      expect(await isSettled(queue.push([{ ...megabytes, offset }]))).toBe(true);
    }
    expect(await isSettled(queue.push([{ ...megabytes, offset: 12 }]))).toBe(false);
    expect(voids).toEqual(['void']);
    expect(await next()).toEqual([[0], false]);
    queue.close();
  });

  test('says that a plan is void whose records retention has dropped', async () => {
    const { queue, next, voids } = setUp({ last: 2, old: false });
    await queue.push([record(7, 100)]);
    expect(await next()).toEqual([[7], false]);
    expect(voids).toEqual(['void']);
    queue.close();
  });
});

test('a range may close at 30,000 rows, or at half of a full one where that is less', () => {
  expect([64_000, 60_000, 10_000].map(leastRangeRows)).toEqual([30_000, 30_000, 5_000]);
});
