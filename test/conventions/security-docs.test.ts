import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!threat|---)/.test(line) && !line.startsWith('|---'));

test('every threat names a measure and a test of it', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(
    rows.filter((row) => !/^\| [^|]+ \| [^|]+ \| `[^|`]+\.test\.ts`(, `[^|`]+\.test\.ts`)* \|$/.test(row)),
  ).toEqual([]);
});

test('every named test exists', () => {
  const named = [...new Set([...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path]) => path!))];
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
