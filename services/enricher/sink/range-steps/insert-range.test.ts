import { beforeEach, expect, test } from 'vitest';
import { takeBodyMemory } from '../range/body-memory.js';
import type { PreparedRange } from '../range/prepare-range.js';
import { type InsertRangeDependencies, insertRange } from './insert-range.js';
import { createStoreAttempts } from './store-attempts.js';

/** The size of a range whose body memory is reused. */
const BODY_BYTES = 5 * 1024 ** 2;

const hold = { requireNotLost() {}, async requireOurs() {}, async pause() {} };

/** Inserts a range into a store that fails this many times before it accepts the rows. */
async function insertInto(failures: number) {
  const body = takeBodyMemory(BODY_BYTES);
  let attempts = 0;
  const step = insertRange({
    hold,
    attempts: createStoreAttempts({ hold, answers: async () => true }),
    async insert(insertion: { body: Buffer }) {
      expect(insertion.body).toBe(body);
      attempts += 1;
      if (attempts <= failures) throw new Error('cut off');
    },
    onInsertFailure() {},
    lost: new AbortController().signal,
  } as Partial<InsertRangeDependencies> as InsertRangeDependencies);
  const range = { rows: 1, body, token: 'the token' } as PreparedRange;
  return { body, stored: await step.run(range) };
}

beforeEach(() => {
  for (let once = 0; once < 3; once += 1) takeBodyMemory(BODY_BYTES);
});

test('the memory of stored rows is reused, and no later step reads it', async () => {
  const { body, stored } = await insertInto(0);
  expect(stored).toMatchObject({ rows: 1, token: 'the token' });
  expect(stored.body.length).toBe(0);
  expect(takeBodyMemory(BODY_BYTES).buffer).toBe(body.buffer);
});

test.each([1, 3])(
  'after %i failed attempts it is not reused, since a request may still send it',
  async (failures) => {
    const { body, stored } = await insertInto(failures);
    expect(stored.body.length).toBe(0);
    expect(takeBodyMemory(BODY_BYTES).buffer).not.toBe(body.buffer);
  },
);
