import { expect, test } from 'vitest';
import { statusCategories, statusClassOf, toStatusCategory } from './status-category.js';

test('the filter of a class is its first digit, or 0 for other', () => {
  expect(statusCategories.map(statusClassOf)).toEqual([1, 2, 3, 4, 5, 0]);
  for (const status of [0, 99, 100, 204, 304, 404, 599, 600, 999]) {
    const digit = Math.trunc(status / 100);
    expect(statusClassOf(toStatusCategory(status))).toBe(digit >= 1 && digit <= 5 ? digit : 0);
  }
});
