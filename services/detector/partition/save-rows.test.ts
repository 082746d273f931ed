import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../../../shared/clickhouse/store-errors.js';
import { saveRows } from './save-rows.js';

/** CANNOT_PARSE_INPUT_ASSERTION_FAILED, as ClickHouse names it. */
const refusal = () => Object.assign(new Error('no row'), { code: '27' });

async function save(failure: (rows: readonly number[]) => Error | null) {
  const written: number[] = [];
  const refused: number[] = [];
  await saveRows(
    [0, 1, 2, 3, 4, 5, 6],
    async (rows) => {
      const error = failure(rows);
      if (error !== null) throw error;
      written.push(...rows);
    },
    (row) => refused.push(row),
  );
  return { written, refused };
}

test('all rows are written at once where none is refused', async () => {
  expect(await save(() => null)).toEqual({ written: [0, 1, 2, 3, 4, 5, 6], refused: [] });
});

test('rows that the store refuses, or the log finds too long, are left out, and no other', async () => {
  for (const error of [refusal(), new RangeError('too long')])
    expect(await save((rows) => (rows.some((row) => row === 2 || row === 6) ? error : null))).toEqual({
      written: [0, 1, 3, 4, 5],
      refused: [2, 6],
    });
});

test('a store that takes nothing is no refusal', async () => {
  await expect(save(() => new StoreUnavailableError('away'))).rejects.toThrow(StoreUnavailableError);
  await expect(save(() => new Error('whatever'))).rejects.toThrow('whatever');
});
