import { expect, it } from 'vitest';
import { rowsWithin } from './rows-within.js';

/** Eleven bytes of JSON, plus six for each control character. */
const row = (controls: number) => ({ path: '\u0001'.repeat(controls) });

it.each([
  ['all that fit', [1, 1, 1], 51, 3],
  ['those before the first that does not fit', [1, 10, 1], 51, 1],
  ['the first however long it is', [10, 1], 51, 1],
  ['nothing of an empty list', [], 48, 0],
])('shows %s', async (_, controls, mostBytes, shown) => {
  const rows = controls.map(row);
  expect(await rowsWithin(rows, mostBytes)).toEqual(rows.slice(0, shown));
});
