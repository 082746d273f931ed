import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';
import { AnswerTooLongError } from '../../../shared/store/store-errors.js';
import { boundAnswer } from './bound-answer.js';

/** A store whose answers have the number of characters in their statement. */
const store: ClickHouseReader = {
  async read({ sql, report }) {
    report?.({ rowsRead: 1, bytesRead: 1, elapsedSeconds: 0, characters: Number(sql) });
    return [];
  },
};
const of = (characters: number, report?: Query<unknown>['report']): Query<unknown> => ({
  name: 'q',
  sql: String(characters),
  params: {},
  row: z.unknown(),
  report,
});

it('reads up to the limit of a call over all its statements', async () => {
  const reader = boundAnswer(store, 100);
  expect(await reader.read(of(60))).toEqual([]);
  expect(await reader.read(of(40))).toEqual([]);
  await expect(reader.read(of(1))).rejects.toBeInstanceOf(AnswerTooLongError);
  await expect(reader.read(of(0))).rejects.toBeInstanceOf(AnswerTooLongError);
});

it('counts each call separately, and passes on the size of each statement', async () => {
  const reported: number[] = [];
  for (const reader of [boundAnswer(store, 100), boundAnswer(store, 100)])
    await reader.read(of(100, ({ characters }) => reported.push(characters)));
  expect(reported).toEqual([100, 100]);
});
