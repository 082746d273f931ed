import { expect, test } from 'vitest';
import { createLagFigures } from './lag-figures.js';

const lag = (from: number, end: number) => new Map([[0, { records: end - from, from, end }]]);

test('a record waits since the last observation without it', () => {
  const lags = createLagFigures(0);
  lags.look(lag(10, 10), 1_000);
  expect(lags.figures(2_000).get(0)).toEqual({ records: 0, seconds: 0 });
  lags.look(lag(10, 14), 6_000);
  expect(lags.figures(7_000).get(0)).toEqual({ records: 4, seconds: 6 });
  // Earlier records were consumed meanwhile: the oldest waiting one is newer than the previous observation.
  lags.look(lag(14, 20), 11_000);
  expect(lags.figures(11_000).get(0)).toEqual({ records: 6, seconds: 5 });
  lags.look(lag(20, 20), 16_000);
  expect(lags.figures(60_000).get(0)).toEqual({ records: 0, seconds: 0 });
});

test('without observations the record count stays and its seconds grow, with the age of the figure', () => {
  const lags = createLagFigures(0);
  expect(lags.ageSeconds(3_000)).toBe(3);
  lags.look(lag(0, 5), 5_000);
  expect(lags.figures(605_000).get(0)).toEqual({ records: 5, seconds: 600 });
  expect(lags.ageSeconds(605_000)).toBe(600);
});

test('many observations need no more memory, and still show the waiting time', () => {
  const lags = createLagFigures(0);
  for (let at = 0; at < 100_000; at += 1) lags.look(lag(0, at + 1), at * 1_000);
  expect(lags.figures(100_000_000).get(0)!.seconds).toBe(100_000);
});

test('a removed partition is forgotten', () => {
  const lags = createLagFigures(0);
  lags.look(lag(0, 5), 0);
  lags.look(new Map(), 1_000);
  expect(lags.figures(1_000).size).toBe(0);
});
