import { expect, it } from 'vitest';
import { keptHoursShare, memoryOfContainer } from './memory-share.js';

const MIB = 1024 ** 2;

it.each([
  [512, 128],
  [768, 128],
  [4_096, 256],
  [16_384, 1_024],
  [65_536, 1_024],
])('a machine with %s MiB keeps rows in %s MiB', (memory, kept) => {
  expect(keptHoursShare(memory * MIB)).toBe(kept * MIB);
});

it('the memory of this process is known', () => {
  expect(memoryOfContainer()).toBeGreaterThan(64 * MIB);
  expect(memoryOfContainer()).toBeLessThan(2 ** 50);
});
