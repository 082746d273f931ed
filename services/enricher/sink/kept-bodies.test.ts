import { beforeEach, expect, test } from 'vitest';
import { giveBodyBack, takeBody } from './kept-bodies.js';

const MEBIBYTE = 1024 ** 2;
/** Of a range whose body is kept. */
const USUAL = 12 * MEBIBYTE;

const areOne = (one: Buffer, other: Buffer) => one.buffer === other.buffer;

/** All that are kept, and one more. */
const takeAll = () => [takeBody(4 * MEBIBYTE), takeBody(4 * MEBIBYTE), takeBody(4 * MEBIBYTE)];

beforeEach(() => void takeAll());

test('a body is somebody else’s only when it was given back, and has the length that was asked for', () => {
  const first = takeBody(USUAL);
  const second = takeBody(USUAL);
  expect(areOne(first, second)).toBe(false);
  giveBodyBack(first);
  const third = takeBody(USUAL - 1_000);
  expect(areOne(third, first)).toBe(true);
  expect(third.length).toBe(USUAL - 1_000);
  giveBodyBack(third);
  expect(areOne(takeBody(USUAL), first)).toBe(true);
});

test('one that is given back twice, or was not taken, is no second one', () => {
  const once = takeBody(USUAL);
  const foreign = Buffer.allocUnsafeSlow(USUAL);
  for (const body of [once, once, once.subarray(5), foreign]) giveBodyBack(body);
  expect(areOne(takeBody(USUAL), once)).toBe(true);
  const next = takeBody(USUAL);
  expect([once, foreign].some((body) => areOne(body, next))).toBe(false);
});

test('one that is too short is not taken', () => {
  const short = takeBody(USUAL);
  giveBodyBack(short);
  expect(areOne(takeBody(USUAL + 2 * MEBIBYTE), short)).toBe(false);
});

test('no more are kept than ranges are inserted at once, the larger ones', () => {
  const all = [USUAL, 2 * USUAL, USUAL + 4 * MEBIBYTE].map(takeBody);
  for (const body of all) giveBodyBack(body);
  const again = takeAll();
  expect(all.map((body) => again.some((one) => areOne(body, one)))).toEqual([false, true, true]);
});

test.each([0, 100, 4 * MEBIBYTE - 1, 32 * MEBIBYTE + 1])('none of %i bytes is kept', (length) => {
  const body = takeBody(length);
  expect(body.length).toBe(length);
  giveBodyBack(body);
  const again = [takeBody(length), ...takeAll()];
  expect(again.some((one) => areOne(one, body))).toBe(false);
});
