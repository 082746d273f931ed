import { expect, test } from 'vitest';
import { createProgress, type Look } from './progress.js';

const look = (at: number, committed: number, next: number, arrivals: number, oldest = 0): Look => ({
  at,
  committed: new Map(committed === 0 ? [] : [[0, committed]]),
  raw: new Map([[0, { oldest, next }]]),
  arrivals: new Map([[0, arrivals]]),
});

test('the stored time is unknown before the first observation, and known at once for an empty log', () => {
  const progress = createProgress();
  expect(progress.through(0, 0)).toBe(0);
  progress.look(look(1_000, 0, 0, 0));
  expect(progress.through(0, 0)).toBe(1_000);
});

test('the stored time does not advance while uploads wait for the enrichers, then advances to the observation that they have reached', () => {
  const progress = createProgress();
  progress.look(look(1_000, 5, 5, 3));
  expect(progress.through(0, 3)).toBe(1_000);
  progress.look(look(2_000, 5, 8, 3));
  progress.look(look(3_000, 5, 9, 3));
  expect(progress.through(0, 3)).toBe(1_000);
  progress.look(look(4_000, 8, 12, 4));
  expect(progress.through(0, 4)).toBe(2_000);
  progress.look(look(5_000, 12, 12, 6));
  expect(progress.through(0, 6)).toBe(5_000);
});

test('the stored time does not advance while arrivals wait to be noted', () => {
  const progress = createProgress();
  progress.look(look(1_000, 5, 5, 3));
  progress.look(look(2_000, 6, 6, 4));
  progress.look(look(3_000, 7, 7, 5));
  expect(progress.through(0, 2)).toBe(0);
  expect(progress.through(0, 4)).toBe(2_000);
  // A new owner of the partition has noted less.
  expect(progress.through(0, 3)).toBe(1_000);
  expect(progress.through(1, 0)).toBe(3_000);
});

test('the stored time does not wait for records that retention deleted before they were stored', () => {
  const progress = createProgress();
  progress.look(look(1_000, 2, 9, 0, 9));
  expect(progress.through(0, 0)).toBe(1_000);
});

test('few observations are stored during a long stall, after which the stored time advances', () => {
  const progress = createProgress();
  for (let at = 1; at <= 3_000; at += 1) progress.look(look(at, 1, at + 1, 0));
  progress.look(look(3_001, 3_002, 3_002, 0));
  expect(progress.through(0, 0)).toBe(3_001);
});
