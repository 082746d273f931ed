import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationTable } from './configuration-table.js';

test('the README lists every configuration variable with its default and meaning', () => {
  const rows = readFileSync('README.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+` \|/.test(line));
  expect(rows).toEqual(configurationTable());
});
