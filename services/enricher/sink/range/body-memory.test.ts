import { beforeEach, expect, test } from 'vitest';
import { giveBodyMemoryBack, takeBodyMemory } from './body-memory.js';

const MEBIBYTE = 1024 ** 2;
/** The size of a full range. */
const USUAL = 8.5 * MEBIBYTE;

const areOne = (one: Buffer, other: Buffer) => one.buffer === other.buffer;
const take = takeBodyMemory;
const giveBack = (...bodies: Buffer[]) => bodies.forEach(giveBodyMemoryBack);

/** All kept memory, and one more. */
const takeAll = () => [take(4 * MEBIBYTE), take(4 * MEBIBYTE), take(4 * MEBIBYTE)];

beforeEach(() => void takeAll());

test('memory is reused only after it was given back, and has the requested length', () => {
  const [first, second] = [take(USUAL), take(USUAL)];
  expect(areOne(first, second)).toBe(false);
  giveBack(first);
  const third = take(USUAL - 1_000);
  expect(areOne(third, first)).toBe(true);
  expect(third.length).toBe(USUAL - 1_000);
  giveBack(third);
  expect(areOne(take(USUAL + 100_000), first)).toBe(true);
});

test('memory that is given back twice, or was not taken, is kept once or not at all', () => {
  const once = take(USUAL);
  const foreign = Buffer.allocUnsafeSlow(USUAL);
  giveBack(once, once, once.subarray(5), foreign);
  expect(areOne(take(USUAL), once)).toBe(true);
  const next = take(USUAL);
  expect([once, foreign].some((body) => areOne(body, next))).toBe(false);
});

test('the shortest sufficient memory is taken', () => {
  const [short, long] = [take(USUAL), take(2 * USUAL)];
  giveBack(long, short);
  const longAgain = take(USUAL + 2 * MEBIBYTE);
  expect(areOne(longAgain, long)).toBe(true);
  expect(longAgain.length).toBe(USUAL + 2 * MEBIBYTE);
  expect(take(USUAL + 2 * MEBIBYTE).length).toBe(USUAL + 2 * MEBIBYTE);
  giveBack(longAgain);
  expect(areOne(take(USUAL), short)).toBe(true);
});

test('at most two are kept, the longer ones', () => {
  const all = [2 * USUAL, USUAL, USUAL + 4 * MEBIBYTE].map(take);
  giveBack(...all);
  const again = takeAll();
  expect(all.map((body) => again.some((one) => areOne(body, one)))).toEqual([true, false, true]);
});

test.each([4 * MEBIBYTE, 32 * MEBIBYTE])('%i bytes are kept', (length) => {
  const body = take(length);
  giveBack(body);
  expect(areOne(take(length), body)).toBe(true);
});

test.each([0, 100, 4 * MEBIBYTE - 1, 32 * MEBIBYTE + 1])('%i bytes are not kept', (length) => {
  const body = take(length);
  expect(body.length).toBe(length);
  giveBack(body);
  const again = [take(length), ...takeAll()];
  expect(again.some((one) => areOne(one, body))).toBe(false);
});
