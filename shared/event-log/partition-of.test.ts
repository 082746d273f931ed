import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from './partition-of.js';

describe('murmur2', () => {
  // The vectors of Kafka's own test (clients, UtilsTest.testMurmur2).
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('returns Kafka’s value for %s', (text, expected) => {
    expect(murmur2(Buffer.from(text))).toBe(expected);
  });
});

describe('partitionOf', () => {
  it('is within the partitions and depends only on the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 1024 }), (key, partitions) => {
        const partition = partitionOf(key, partitions);
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
        expect(Number.isInteger(partition)).toBe(true);
        expect(partitionOf(key, partitions)).toBe(partition);
      }),
    );
  });

  it('spreads keys: of 10,000 keys each of 8 partitions gets between 10 and 15 percent', () => {
    const counts = new Array<number>(8).fill(0);
    for (let i = 0; i < 10_000; i++) counts[partitionOf(`website-${i}`, 8)]!++;
    for (const count of counts) {
      expect(count).toBeGreaterThan(1_000);
      expect(count).toBeLessThan(1_500);
    }
  });
});
