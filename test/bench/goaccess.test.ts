import { expect, it } from 'vitest';
import { childrenSeconds } from './goaccess.js';

it('reads the time of the children, user and kernel, minutes and seconds', () => {
  expect(childrenSeconds('0m9.000s 0m9.000s\n1m2.500s 0m0.250s\n')).toBeCloseTo(62.75);
});
