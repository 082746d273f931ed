import { expect, it } from 'vitest';
import { costsOfCalls } from './costs.js';

it('takes the CPU of the rows that were stored meanwhile from the difference', () => {
  const before = { engineMs: 100, programMs: 50, statements: 3, rowsRead: 10, rowsStored: 1_000 };
  const after = { engineMs: 400, programMs: 150, statements: 7, rowsRead: 50, rowsStored: 21_000 };
  expect(costsOfCalls(before, after, { engineMs: 0.01, programMs: 0.004 })).toEqual({
    ...{ engineMs: 100, programMs: 20, statements: 4, rowsRead: 40 },
  });
});
