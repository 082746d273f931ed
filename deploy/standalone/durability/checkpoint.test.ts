import { describe, expect, test } from 'vitest';
import { checkpointCommit, doubtful, lastEpoch, ranOn } from './checkpoint.js';

const boot = 'boot-1';
const at = (offset: number, bootId: string | null = boot, epoch = 0) =>
  new Map([[0, checkpointCommit(offset, { bootId, epoch })]]);
const extent = (oldest: number, next: number) => new Map([[0, { oldest, next }]]);
const committed = (offset: number, metadata = '') => new Map([[0, { offset, metadata }]]);

describe('a checkpoint', () => {
  test('is trusted only within the same boot of the kernel', () => {
    expect(ranOn(at(5), boot)).toBe(true);
    expect(ranOn(at(5), 'boot-2')).toBe(false);
  });

  test('is never trusted without a boot id', () => {
    expect(ranOn(at(5, null), null)).toBe(false);
    expect(ranOn(at(5), null)).toBe(false);
    expect(ranOn(at(5, null), boot)).toBe(false);
  });

  test('is not needed at the first start: no rows can be lost', () => {
    expect(ranOn(new Map(), boot)).toBe(true);
    expect(ranOn(new Map(), null)).toBe(true);
  });

  test('continues the count of repairs from the partition with the highest count', () => {
    const marks = new Map([...at(1, boot, 3), [1, checkpointCommit(1, { bootId: boot, epoch: 4 })]]);
    expect(lastEpoch(marks)).toBe(4);
    expect(lastEpoch(new Map())).toBe(0);
  });
});

describe('the doubtful range', () => {
  test('contains finished records after the checkpoint', () => {
    expect(doubtful(at(5), committed(9), extent(0, 20))).toEqual([{ partition: 0, from: 5, to: 9 }]);
  });

  test('extends to the end of the log if a range was planned, with any plan', () => {
    expect(doubtful(at(5), committed(9, 'plan:12'), extent(0, 20))).toEqual([
      { partition: 0, from: 5, to: 20 },
    ]);
    expect(doubtful(at(9), committed(9, '{"another":"form"}'), extent(0, 20))).toEqual([
      { partition: 0, from: 9, to: 20 },
    ]);
  });

  test('is empty after a regular stop, or if nothing was ever written', () => {
    expect(doubtful(at(9), committed(9), extent(0, 20))).toEqual([]);
    expect(doubtful(at(0), new Map(), extent(0, 20))).toEqual([]);
  });

  test('contains no records that the log has dropped', () => {
    expect(doubtful(at(5), committed(9), extent(7, 20))).toEqual([{ partition: 0, from: 7, to: 9 }]);
  });

  test('starts at the oldest record for a partition without a checkpoint', () => {
    expect(doubtful(new Map(), committed(9), extent(3, 20))).toEqual([{ partition: 0, from: 3, to: 9 }]);
  });
});
