import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock, expandedBytes } from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { plainRequest } from './plain-request.js';
import {
  createRangeQueue,
  leastRangeWeight,
  type RangeLimits,
  type RangeQueueOptions,
} from './range-queue.js';

const record = (offset: number, bytes: number): LogRecord => ({
  partition: 0,
  offset,
  key: 'w',
  appendedAt: 0,
  value: Buffer.alloc(bytes),
});

/** A record of so many requests. */
function recordOf(
  offset: number,
  requests: number,
  each: RawRequest[] = Array(requests).fill(plainRequest({})),
): LogRecord {
  const value = encodeRawBlock({
    website_id: 'w',
    source: 'loglane',
    upload_id: 'u',
    received_at: 0,
    requests: each,
  });
  return { ...record(offset, 0), value };
}

const limits = { maxRows: 1_000, maxBytes: 100, lingerMs: 1e6 };

function setUp(plannedLast: RangeQueueOptions['plannedLast'] = null, other: Partial<RangeLimits> = {}) {
  const voids: string[] = [];
  const queue = createRangeQueue({ ...limits, ...other, plannedLast, onVoid: () => voids.push('void') });
  const next = async () => {
    const piece = await queue.next(() => false);
    return piece && [piece.records.map(({ offset }) => offset), piece.planned];
  };
  let busy = true;
  /** Offsets of a piece, and whether it ends the range, while a range is being inserted. */
  const nextPiece = async () => {
    const piece = await queue.next(() => busy);
    return piece && [piece.records.map(({ offset }) => offset), piece.ends ? 'ends' : 'grows'];
  };
  const onStored = () => {
    busy = false;
    queue.wake();
  };
  return { queue, next, nextPiece, onStored, voids };
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
  test('closes a range by bytes, and blocks its producer by bytes', async () => {
    const { queue, next } = setUp();
    expect(await isSettled(queue.push([record(0, 90), record(1, 90)]))).toBe(true);
    const third = queue.push([record(2, 90)]);
    expect(await isSettled(third)).toBe(false);
    expect(await next()).toEqual([[0], false]);
    expect(await isSettled(third)).toBe(true);
    expect(await next()).toEqual([[1], false]);
    queue.close();
  });

  test('returns a planned range exactly, even if it is larger than a range may be now', async () => {
    const { queue, next, voids } = setUp(2);
    expect(await isSettled(queue.push([0, 1, 2, 3].map((offset) => record(offset, 90))))).toBe(true);
    expect(await next()).toEqual([[0, 1, 2], true]);
    expect(voids).toEqual([]);
    queue.close();
  });

  test('reports a plan as void if retention has dropped its records', async () => {
    const { queue, next, voids } = setUp(2);
    await queue.push([record(7, 100)]);
    expect(await next()).toEqual([[7], false]);
    expect(voids).toEqual(['void']);
    queue.close();
  });

  describe('returns pieces of a large range while it grows', () => {
    const growing = { leastWeight: 4, maxRows: 8, maxBytes: 1e6, lingerMs: 20 };

    /** The store accepts many rows a second, so a range may reach its maximum. */
    const setUpGrowing = (other: Partial<RangeLimits> = {}) => {
      const set = setUp(null, { ...growing, ...other });
      set.queue.stored(1e9);
      return set;
    };

    test('from its least rows on, and ends it after it has waited and the range before is stored', async () => {
      const { queue, nextPiece, onStored } = setUpGrowing();
      const first = nextPiece();
      await queue.push([recordOf(0, 2)]);
      expect(await isSettled(first)).toBe(false);
      await queue.push([recordOf(1, 2)]);
      expect(await first).toEqual([[0, 1], 'grows']);
      await queue.push([recordOf(2, 1)]);
      expect(await nextPiece()).toEqual([[2], 'grows']);
      const last = nextPiece();
      await sleep(2 * growing.lingerMs);
      expect(await isSettled(last)).toBe(false);
      onStored();
      expect(await last).toEqual([[], 'ends']);
      queue.close();
    });

    test('and measures its wait from its first record, even if more arrive', async () => {
      const { queue, nextPiece, onStored } = setUpGrowing({ maxRows: 1_000 });
      await queue.push([recordOf(0, 4)]);
      await nextPiece();
      onStored();
      let pieces = 0;
      for (let ended = false; !ended; pieces += 1) {
        await sleep(growing.lingerMs / 4);
        await queue.push([recordOf(1 + pieces, 1)]);
        ended = (await nextPiece())?.[1] === 'ends';
        expect(pieces).toBeLessThan(100);
      }
      queue.close();
    });

    test('only if a range may have more than its least rows', async () => {
      const { queue, nextPiece } = setUp(null, growing);
      await queue.push([recordOf(0, 3), recordOf(1, 1), recordOf(2, 1)]);
      expect(await nextPiece()).toEqual([[0, 1], 'ends']);
      queue.close();
    });

    test('and measures the wait of the next range separately', async () => {
      const { queue, nextPiece, onStored } = setUpGrowing();
      onStored();
      await queue.push([recordOf(0, 1)]);
      expect(await nextPiece()).toEqual([[0], 'ends']);
      await queue.push([recordOf(1, 1)]);
      const second = nextPiece();
      expect(await isSettled(second)).toBe(false);
      expect(await second).toEqual([[1], 'ends']);
      queue.close();
    });

    test('except for a planned one, which comes as a whole', async () => {
      const { queue, next } = setUp(2, growing);
      const planned = next();
      await queue.push([recordOf(0, 5), recordOf(1, 5)]);
      expect(await isSettled(planned)).toBe(false);
      await queue.push([recordOf(2, 5), recordOf(3, 1)]);
      expect(await planned).toEqual([[0, 1, 2], true]);
      queue.close();
    });

    test('and ends it earlier where its rows bring many different texts', async () => {
      const { queue, nextPiece } = setUpGrowing({ leastWeight: 2, maxRows: 10 });
      const requests = Array.from({ length: 4 }, (_, at) =>
        plainRequest({ target: `/${at}`, user_agent: `a${at}`, referrer: `r${at}`, request_id: `i${at}` }),
      );
      await queue.push([recordOf(0, 4, requests), recordOf(1, 4, requests), recordOf(2, 4, requests)]);
      expect(await nextPiece()).toEqual([[0, 1], 'ends']);
      queue.close();
    });

    test.each([
      ['rows', { leastWeight: 2, maxRows: 7 }, 2],
      ['bytes', { leastWeight: 2, maxRows: 1_000, maxBytes: 3.5 * expandedBytes(recordOf(0, 2).value) }, 2],
    ])('and ends it by the %s of all its pieces', async (_name, limits, requests) => {
      const { queue, nextPiece } = setUpGrowing(limits);
      const given: unknown[] = [];
      for (let offset = 0; offset < 4; offset += 1) {
        void queue.push([recordOf(offset, requests)]);
        given.push((await nextPiece())?.[1]);
      }
      expect(given).toEqual(['grows', 'grows', 'grows', 'ends']);
      queue.close();
    });

    test('and ends it by the records of all its pieces', async () => {
      const { queue, nextPiece } = setUpGrowing({ maxRows: 1e6, maxBytes: 1e9 });
      const push = (from: number, to: number) =>
        queue.push(Array.from({ length: to - from }, (_, at) => recordOf(from + at, 1)));
      await push(0, 6_000);
      expect((await nextPiece())?.[1]).toBe('grows');
      await push(6_000, 12_000);
      const last = await nextPiece();
      expect(last?.[1]).toBe('ends');
      expect(last?.[0]).toHaveLength(4_000);
      queue.close();
    });

    test('and ends it at its most rows', async () => {
      const { queue, nextPiece } = setUpGrowing();
      await queue.push([recordOf(0, 4)]);
      expect(await nextPiece()).toEqual([[0], 'grows']);
      await queue.push([recordOf(1, 3), recordOf(2, 1), recordOf(3, 1)]);
      expect(await nextPiece()).toEqual([[1, 2], 'ends']);
      queue.close();
    });

    test('and ends it before a record that does not fit, which is a separate range', async () => {
      const { queue, nextPiece } = setUpGrowing();
      await queue.push([recordOf(0, 7)]);
      expect(await nextPiece()).toEqual([[0], 'grows']);
      void queue.push([recordOf(1, 2_002)]);
      expect(await nextPiece()).toEqual([[], 'ends']);
      expect(await queue.next(() => true)).toMatchObject({ ends: true, mostRows: 2_002 });
      queue.close();
    });

    test('with capacity for all rows that it can have', async () => {
      const { queue } = setUpGrowing();
      await queue.push([recordOf(0, 7)]);
      expect(await queue.next(() => true)).toMatchObject({ ends: false, mostRows: 2_008 });
      queue.close();
    });

    test('and also blocks its producer by the rows of returned pieces', async () => {
      const { queue, nextPiece } = setUpGrowing();
      await queue.push([recordOf(0, 7)]);
      await nextPiece();
      const pushed = queue.push([recordOf(1, 10)]);
      expect(await isSettled(pushed)).toBe(false);
      expect(await nextPiece()).toEqual([[1], 'ends']);
      expect(await isSettled(pushed)).toBe(true);
      queue.close();
    });
  });
});

test('a range may close at 30,000 rows, or at half of a full range if that is less', () => {
  expect([64_000, 60_000, 10_000].map(leastRangeWeight)).toEqual([30_000, 30_000, 5_000]);
});
