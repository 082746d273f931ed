import { expect, test } from 'vitest';
import { columnSeries } from './column-series.js';

test('the largest columns are series, and the rest is one series', () => {
  const row = {
    time: 'a',
    other: 1,
    ...Object.fromEntries([...'bcdefghi'].map((name, place) => [name, place + 1])),
  };
  const series = columnSeries([row, { ...row, time: 'b' }], 'time');
  expect(series.map(({ name, values }) => [name, values])).toEqual([
    ['i', [8, 8]],
    ['h', [7, 7]],
    ['g', [6, 6]],
    ['f', [5, 5]],
    ['e', [4, 4]],
    ['d', [3, 3]],
    ['other', [4, 4]],
  ]);
});

test('columns are joined into groups, and empty ones are left out', () => {
  const series = columnSeries([{ time: 'a', GPTBot: 2, ClaudeBot: 3, Silent: 0 }], 'time', (name) =>
    name.endsWith('Bot') ? 'training' : 'search',
  );
  expect(series.map(({ name, values }) => [name, values])).toEqual([['training', [5]]]);
});

test('a column may have the name of a property of objects', () => {
  const rows = [JSON.parse('{"time":"a","__proto__":4,"constructor":2}')];
  expect(columnSeries(rows, 'time').map(({ name, values }) => [name, values])).toEqual([
    ['__proto__', [4]],
    ['constructor', [2]],
  ]);
});
