import { expect, test } from 'vitest';
import { rowsFromNearerEnd, rowsOfPage } from './paging.js';

test('a page that is too far back is refused, and the error names the last allowed page', () => {
  expect(rowsOfPage({ page: 20_001, page_size: 50 })).toEqual({ limit: 50, offset: 1_000_000 });
  expect(() => rowsOfPage({ page: 20_002, page_size: 50 })).toThrow(
    'page: expected at most 20001 with page_size 50, got 20002',
  );
});

test.each([
  ['the first', 1, 50, 0, false],
  ['one that is near', 20_001, 50, 1_000_000, false],
  ['the last, which is short', 30_001, 7, 0, true],
  ['the last but one', 30_000, 50, 7, true],
  ['one behind the last', 30_002, null, null, null],
])('with 1,500,007 rows, %s is counted from the nearer end', (_, page, limit, offset, fromEnd) => {
  const rows = () => rowsFromNearerEnd({ page, page_size: 50 }, 1_500_007);
  if (limit === null) expect(rows).toThrow('page: expected at most');
  else expect(rows()).toEqual({ limit, offset, fromEnd });
});
