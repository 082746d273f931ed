import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'shared/clickhouse/migrations';
const page = readFileSync('docs/operations.md', 'utf8');

/** @param list such as `0023, 0029 to 0032` */
function numbersOf(list: string): number[] {
  return list.split(', ').flatMap((item) => {
    const [first, last = first] = item.split(' to ').map(Number);
    return Array.from({ length: last! - first! + 1 }, (_, at) => first! + at);
  });
}

test('every migration before which enrichers are to be stopped is named, and no other', () => {
  const [, anew, away] =
    /makes views anew \(([^)]+)\), or takes some away \(([^)]+)\), wants no enricher/.exec(page)!;
  const dropping = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql') && readFileSync(join(FOLDER, file), 'utf8').includes('DROP VIEW'))
    .map((file) => Number(file.slice(0, 4)));
  expect([...numbersOf(anew!), ...numbersOf(away!)].toSorted((a, b) => a - b)).toEqual(dropping);
});
