import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from './parse-answer.js';

const row = z.object({ path: z.string(), lists: z.array(z.number()) });

/** As ClickHouse writes it. */
function textOf(rows: readonly z.infer<typeof row>[]): string {
  const lines = rows.map(({ path, lists }) => `\t\t[${JSON.stringify(path)}, ${JSON.stringify(lists)}]`);
  return `{
\t"meta":
\t[
\t\t{
\t\t\t"name": "path",
\t\t\t"type": "String"
\t\t},
\t\t{
\t\t\t"name": "lists",
\t\t\t"type": "Array(UInt8)"
\t\t}
\t],

\t"data":
\t[
${lines.join(',\n')}
\t],

\t"rows": ${rows.length},

\t"statistics":
\t{
\t\t"elapsed": 0.001,
\t\t"rows_read": 7,
\t\t"bytes_read": 9
\t}
}
`;
}

const hostile = '"\u0001\n\t],\n\\],[';
const rowsLike = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `${index}${hostile.repeat(Math.ceil(length / hostile.length))}`,
    lists: [index, 1],
  }));

it.each([
  ['no row', 0, 0],
  ['few short rows', 3, 10],
  ['many short rows', 20_000, 10],
  ['few long rows', 30, 60_000],
  ['one long row', 1, 400_000],
])('reads %s, with the engine’s statistics', async (_, count, length) => {
  const rows = rowsLike(count, length);
  const parsed = await parseAnswer(textOf(rows), row);
  expect(parsed.rows).toEqual(rows);
  expect(parsed.answer.statistics.rows_read).toBe(7);
});

it('refuses a long answer with a row of another shape', async () => {
  const rows = [...rowsLike(20_000, 10), { path: 1 as never, lists: [] }];
  await expect(parseAnswer(textOf(rows), row)).rejects.toThrow(z.ZodError);
});

it('lets other calls proceed while it reads several answers of 32 MB at once', async () => {
  const text = textOf(rowsLike(500, 26_000));
  let isDone = false;
  const reading = Promise.all([1, 2, 3].map(() => parseAnswer(text, row))).then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  await reading;
  expect(turns).toBeGreaterThan(20);
});
