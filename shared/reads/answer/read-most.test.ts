import { expect, test } from 'vitest';
import { AnswerTooLongError } from '../../store/store-errors.js';
import { readMost } from './read-most.js';

const limits = { most: 5, few: 2 };
/** A list with a number of rows, of which one read may return at most `fits`. */
const listOf = (length: number, fits: number) => async (limit: number) => {
  if (Math.min(length, limit) > fits) throw new AnswerTooLongError('too long');
  return Array.from({ length: Math.min(length, limit) }, (_, row) => row);
};

test.each([
  ['all of a list that is shorter than the limit', 4, 9, [0, 1, 2, 3], true],
  ['the first of one that may be longer', 5, 9, [0, 1, 2, 3, 4], false],
  ['fewer of one whose rows are large', 4, 3, [0, 1], false],
])('reads %s', async (_, length, fits, rows, isComplete) => {
  expect(await readMost(listOf(length, fits), limits)).toEqual({ rows, isComplete });
});

test('fails if even few rows are too long, and if the store fails', async () => {
  await expect(readMost(listOf(4, 1), limits)).rejects.toBeInstanceOf(AnswerTooLongError);
  await expect(readMost(() => Promise.reject(new Error('away')), limits)).rejects.toThrow('away');
});
