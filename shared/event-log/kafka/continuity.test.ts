import { describe, expect, it } from 'vitest';
import { createContinuity, DivergedFrom } from './continuity.js';
import type { FetchedMessage } from './fetched-message.js';

/** A log as the brokers tell it: for each offset the epoch of the leader that took it, and its text. */
const log = (...records: [epoch: number, text: string][]) =>
  records.map(
    ([partitionLeaderEpoch, text], offset) =>
      ({
        offset: String(offset),
        timestamp: '1000',
        key: null,
        value: Buffer.from(text),
        batchContext: { partitionLeaderEpoch },
      }) as unknown as FetchedMessage,
  );
const texts = (messages: readonly FetchedMessage[]) => messages.map(({ value }) => value!.toString());

it('follows answers of one leader without looking back', () => {
  const continuity = createContinuity(null);
  const all = log([1, 'a'], [1, 'b'], [1, 'c']);
  expect(texts(continuity.follow(all.slice(0, 2), 0))).toEqual(['a', 'b']);
  expect(texts(continuity.follow(all.slice(1), 2))).toEqual(['c']);
  expect(continuity.wanted()).toBeNull();
});

it('looks back once where the leader has changed, and goes on where the log is the same', () => {
  const continuity = createContinuity(null);
  const all = log([1, 'a'], [1, 'b'], [2, 'c'], [2, 'd']);
  continuity.follow(all.slice(0, 2), 0);
  expect(continuity.follow(all.slice(2), 2)).toEqual([]);
  expect(continuity.wanted()).toBe(1);
  // The anchor may come alone, where the batch fills the answer.
  expect(continuity.follow(all.slice(1, 2), 2)).toEqual([]);
  expect(continuity.wanted()).toBeNull();
  expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['c', 'd']);
});

it('sees that another record stands where it has read, though the log goes on behind it', () => {
  const continuity = createContinuity(null);
  continuity.follow(log([1, 'a'], [1, 'b']), 0);
  const grown = log([1, 'a'], [2, 'x'], [2, 'y']);
  expect(continuity.follow(grown.slice(2), 2)).toEqual([]);
  expect(() => continuity.follow(grown.slice(1), 2)).toThrow(DivergedFrom);
});

it('begins with a look at what was read before, which may lie ahead of the position', () => {
  const all = log([1, 'a'], [2, 'b'], [3, 'c'], [3, 'd']);
  const first = createContinuity(null);
  first.follow(all, 0);
  const next = createContinuity(first.anchor());
  expect(next.wanted()).toBe(3);
  expect(next.follow(all.slice(3), 1)).toEqual([]);
  expect(next.wanted()).toBeNull();
  expect(texts(next.follow(all.slice(1), 1))).toEqual(['b', 'c', 'd']);
});

it('goes on without a look where what was read has been deleted by age', () => {
  const continuity = createContinuity({ offset: 0, appendedAt: 1, digest: 1 });
  continuity.forget();
  expect(continuity.wanted()).toBeNull();
  expect(texts(continuity.follow(log([1, 'a'], [1, 'b']).slice(1), 1))).toEqual(['b']);
});

describe('of a compacted topic', () => {
  const all = log([1, 'a'], [1, 'b'], [2, 'b again'], [2, 'c']);
  const afterLeaderChange = () => {
    const continuity = createContinuity(null, { compacted: true });
    continuity.follow(all.slice(0, 2), 0);
    continuity.follow(all.slice(2), 2);
    expect(continuity.wanted()).toBe(1);
    return continuity;
  };

  it('goes on where the newest record that was read has been compacted away', () => {
    const continuity = afterLeaderChange();
    expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['b again', 'c']);
    expect(continuity.wanted()).toBeNull();
  });

  it('goes on where only what stood before it in its batch is left', () => {
    const continuity = afterLeaderChange();
    expect(continuity.follow(all.slice(0, 1), 2)).toEqual([]);
    expect(continuity.wanted()).toBeNull();
    expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['b again', 'c']);
  });

  it('still sees that another record stands where it has read', () => {
    const grown = log([1, 'a'], [2, 'x'], [2, 'y']);
    expect(() => afterLeaderChange().follow(grown.slice(1), 2)).toThrow(DivergedFrom);
  });
});
