import { expect, it } from 'vitest';
import { costsOf, partSeconds } from './measure-rate.js';

it('reports long runs by minute', () => {
  expect([5, 60, 179, 180, 600].map(partSeconds)).toEqual([10, 10, 10, 60, 60]);
});

it('reports the CPU of each process between two looks, by line', () => {
  const before = { program: { user: 1, system: 0.5 }, engine: { user: 2, system: 0 } };
  const after = { program: { user: 3, system: 0.75 }, engine: { user: 2, system: 1 } };
  expect(costsOf(after, before, 100_000)).toEqual({
    program: { user: 20, system: 2.5 },
    engine: { user: 0, system: 10 },
  });
});
