import { expect, test } from 'vitest';
import { createStateCache } from './state-cache.js';

test('caches of several partitions share one limit: each evicts its own entries, and frees them when cleared', () => {
  const budget = { most: 10, used: 0 };
  const one = createStateCache<string>(budget);
  const other = createStateCache<string>(budget);
  one.set('a', 'a', 4);
  one.set('b', 'b', 4);
  other.set('c', 'c', 4);
  expect([one.get('a'), one.get('b'), other.get('c')]).toEqual(['a', 'b', undefined]);
  one.set('a', 'a again', 2);
  other.set('c', 'c', 4);
  expect([one.get('a'), other.get('c'), budget.used]).toEqual(['a again', 'c', 10]);
  one.clear();
  expect([one.get('b'), other.get('c'), budget.used]).toEqual([undefined, 'c', 4]);
  other.delete('c');
  expect(budget.used).toBe(0);
});
