import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../durations.js';
import { type FetchOutcome, inForceDuring, versionsInForce } from './versions-in-force.js';

const day = (n: number) => n * DAY_MS;
const at = (n: number, outcome: FetchOutcome, hash = '') => ({ fetchedAt: day(n), outcome, hash });

describe('a version of robots.txt', () => {
  test('is in force from its first fetch until another is found; the newest one still is', () => {
    const fetches = [at(1, 'found', 'a'), at(2, 'found', 'a'), at(3, 'found', 'b'), at(4, 'found', 'a')];
    expect(versionsInForce(fetches, day(5))).toEqual([
      { hash: 'a', from: day(1), until: day(3) },
      { hash: 'b', from: day(3), until: day(4) },
      { hash: 'a', from: day(4), until: null },
    ]);
  });

  test('is replaced by no file if the website has none', () => {
    const fetches = [at(1, 'found', 'a'), at(2, 'missing'), at(3, 'missing')];
    expect(versionsInForce(fetches, day(4))).toEqual([
      { hash: 'a', from: day(1), until: day(2) },
      { hash: '', from: day(2), until: null },
    ]);
  });

  test.each(['blocked', 'server_error', 'unreachable'] as const)(
    'stays in force for 30 days while a fetch is %s, and no longer',
    (outcome) => {
      const fetches = [at(1, 'found', 'a'), at(2, outcome), at(20, outcome)];
      expect(versionsInForce(fetches, day(31))).toEqual([{ hash: 'a', from: day(1), until: null }]);
      expect(versionsInForce(fetches, day(32))).toEqual([{ hash: 'a', from: day(1), until: day(31) }]);
      expect(versionsInForce([...fetches, at(40, 'found', 'a')], day(41))).toEqual([
        { hash: 'a', from: day(1), until: day(31) },
        { hash: 'a', from: day(40), until: null },
      ]);
      expect(versionsInForce([at(1, outcome)], day(2))).toEqual([]);
    },
  );

  test('is cut to the window', () => {
    const versions = versionsInForce([at(1, 'found', 'a'), at(3, 'found', 'b')], day(9));
    expect(inForceDuring(versions, { start: day(2), end: day(5) })).toEqual([
      { hash: 'a', start: day(2), end: day(3) },
      { hash: 'b', start: day(3), end: day(5) },
    ]);
    expect(inForceDuring(versions, { start: 0, end: day(1) })).toEqual([]);
    expect(inForceDuring(versions, { start: day(4), end: day(5) })).toEqual([
      { hash: 'b', start: day(4), end: day(5) },
    ]);
  });
});
