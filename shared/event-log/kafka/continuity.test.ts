import { describe, expect, it } from 'vitest';
import { createContinuity, DivergedFrom } from './continuity.js';
import type { FetchedMessage } from './fetched-message.js';

/** A log in the brokers' form: for each offset the leader epoch and the text. */
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

it('follows responses of one leader without checks', () => {
  const continuity = createContinuity(null);
  const all = log([1, 'a'], [1, 'b'], [1, 'c']);
  expect(texts(continuity.follow(all.slice(0, 2), 0))).toEqual(['a', 'b']);
  expect(texts(continuity.follow(all.slice(1), 2))).toEqual(['c']);
  expect(continuity.wanted()).toBeNull();
});

it('checks once after a change of the leader, and continues if the log is the same', () => {
  const continuity = createContinuity(null);
  const all = log([1, 'a'], [1, 'b'], [2, 'c'], [2, 'd']);
  continuity.follow(all.slice(0, 2), 0);
  expect(continuity.follow(all.slice(2), 2)).toEqual([]);
  expect(continuity.wanted()).toBe(1);
  // The anchor may come alone if the batch fills the response.
  expect(continuity.follow(all.slice(1, 2), 2)).toEqual([]);
  expect(continuity.wanted()).toBeNull();
  expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['c', 'd']);
});

it('detects another record at an offset already read, although the log continues after it', () => {
  const continuity = createContinuity(null);
  continuity.follow(log([1, 'a'], [1, 'b']), 0);
  const grown = log([1, 'a'], [2, 'x'], [2, 'y']);
  expect(continuity.follow(grown.slice(2), 2)).toEqual([]);
  expect(() => continuity.follow(grown.slice(1), 2)).toThrow(DivergedFrom);
});

it('begins by checking the last record read, which may be ahead of the position', () => {
  const all = log([1, 'a'], [2, 'b'], [3, 'c'], [3, 'd']);
  const first = createContinuity(null);
  first.follow(all, 0);
  const next = createContinuity(first.anchor());
  expect(next.wanted()).toBe(3);
  expect(next.follow(all.slice(3), 1)).toEqual([]);
  expect(next.wanted()).toBeNull();
  expect(texts(next.follow(all.slice(1), 1))).toEqual(['b', 'c', 'd']);
});

it('continues without a check if the records read have expired', () => {
  const continuity = createContinuity({ offset: 0, appendedAt: 1, digest: 1 });
  continuity.forget();
  expect(continuity.wanted()).toBeNull();
  expect(texts(continuity.follow(log([1, 'a'], [1, 'b']).slice(1), 1))).toEqual(['b']);
});

describe('a compacted topic', () => {
  const all = log([1, 'a'], [1, 'b'], [2, 'b again'], [2, 'c']);
  const afterLeaderChange = () => {
    const continuity = createContinuity(null, { compacted: true });
    continuity.follow(all.slice(0, 2), 0);
    continuity.follow(all.slice(2), 2);
    expect(continuity.wanted()).toBe(1);
    return continuity;
  };

  it('continues if the newest record read has been compacted away', () => {
    const continuity = afterLeaderChange();
    expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['b again', 'c']);
    expect(continuity.wanted()).toBeNull();
  });

  it('continues if only earlier records of its batch are left', () => {
    const continuity = afterLeaderChange();
    expect(continuity.follow(all.slice(0, 1), 2)).toEqual([]);
    expect(continuity.wanted()).toBeNull();
    expect(texts(continuity.follow(all.slice(2), 2))).toEqual(['b again', 'c']);
  });

  it('still detects another record at an offset already read', () => {
    const grown = log([1, 'a'], [2, 'x'], [2, 'y']);
    expect(() => afterLeaderChange().follow(grown.slice(1), 2)).toThrow(DivergedFrom);
  });
});
