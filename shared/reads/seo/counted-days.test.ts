import { expect, test } from 'vitest';
import { differs } from './counted-days.js';

const counted = [
  { day: 20_000, requests: 5 },
  { day: 20_001, requests: 7 },
];

test('a build is current if each day has the counted requests or has expired', () => {
  expect(differs(counted, counted)).toBe(false);
  expect(differs(counted, counted.slice(1))).toBe(false);
});

test('a build is stale if a day has more requests, has fewer, or is new', () => {
  expect(differs(counted, [counted[0]!, { day: 20_001, requests: 8 }])).toBe(true);
  expect(differs(counted, [counted[0]!, { day: 20_001, requests: 6 }])).toBe(true);
  expect(differs(counted, [...counted, { day: 20_002, requests: 1 }])).toBe(true);
  expect(differs([], counted)).toBe(true);
});
