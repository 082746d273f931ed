import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from './all-checks.js';

test('docs/crawls-and-checks.md has a line for each check, in the order of the list, with its category, weight and title', () => {
  const [, section = ''] = readFileSync('docs/crawls-and-checks.md', 'utf8').split('\n## All checks\n');
  const documented = section.split('\n').filter((line) => line.startsWith('| `'));
  const expected = checks.map(
    ({ id, category, weight, title }) => `| \`${id}\` | ${category} | ${weight} | ${title} |`,
  );
  expect(documented).toEqual(expected);
});
