import { expect, test } from 'vitest';
import { StoreTimeoutError, StoreUnavailableError } from '../../../../shared/store/store-errors.js';
import type { PreparedRange } from '../range/prepare-range.js';
import { createStoreAttempts } from './store-attempts.js';

const hold = { requireNotLost() {}, async requireOurs() {}, async pause() {} };
const range = {} as PreparedRange;
const FAILURES = 20;

/** Work that fails with this error before it succeeds, at a store that does or does not answer queries. */
async function attempt(error: Error, answers: boolean) {
  const attempts = createStoreAttempts({
    hold,
    answers: async () => answers,
    delays: { firstMs: 0, longestMs: 0 },
  });
  let failures = 0;
  const run = async () => {
    if (failures++ < FAILURES) throw error;
    return 'done';
  };
  return attempts.untilTaken(range, { run, onFailure() {} }, attempts.newDelay());
}

const withCode = (code: string) => Object.assign(new Error('no such row'), { code });

test.each([
  ['unavailable', new StoreUnavailableError('away')],
  ['out of time', new StoreTimeoutError('slow')],
  ['without room', withCode('243')],
])('a store that is %s refuses nothing, even if it answers queries', async (_, error) => {
  expect(await attempt(error, true)).toEqual({ result: 'done' });
});

test('an unknown error is no refusal while the store answers nothing', async () => {
  expect(await attempt(withCode('12345'), false)).toEqual({ result: 'done' });
  expect(await attempt(new Error('cut off'), false)).toEqual({ result: 'done' });
});

test.each([
  ['of unknown cause, at a store that answers', withCode('12345'), true],
  ['of the rows, at any store', withCode('395'), false],
])('the fifth error %s is a refusal', async (_, error, answers) => {
  expect(await attempt(error, answers)).toMatchObject({ refusal: 'the store refuses it: no such row' });
});
