import { expect, it } from 'vitest';
import { nearest } from './nearest.js';

const many = Array.from({ length: 10_000 }, (_, at) =>
  `${at}.customers.of.a.platform.example`.padEnd(60, 'x'),
);

it('finds a misspelt name, and a part of one among many', () => {
  expect(nearest('counrty', ['city', 'country'])).toBe('country');
  expect(nearest('qwertz', ['city', 'country'])).toBeNull();
  expect(nearest('shop.example', [...many, 'www.shop.example'])).toBe('www.shop.example');
});

it('takes little time for a name that is near to none of many', () => {
  const started = performance.now();
  for (let call = 0; call < 30; call++) nearest('qwertyuiop'.repeat(6), many);
  // Without a bound it would be 9 s.
  expect(performance.now() - started).toBeLessThan(4_000);
});
