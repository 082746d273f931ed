import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from './all-checks.js';

test('docs/checks.md has a line for each check, in the order of the list, with its category, weight and title', () => {
  const lines = readFileSync('docs/checks.md', 'utf8').split('\n');
  const told = lines.filter((line) => line.startsWith('| `'));
  const expected = checks.map(
    ({ id, category, weight, title }) => `| \`${id}\` | ${category} | ${weight} | ${title} |`,
  );
  expect(told).toEqual(expected);
});
