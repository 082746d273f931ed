import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportTypes } from '../../../shared/reads/exports/all-export-types.js';

test('docs/exports.md names each type of export in its table, and no other', () => {
  const rows = readFileSync('docs/exports.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `') && !line.startsWith('| `export_type`'))
    .map((line) => line.split('|')[1]!);
  // `recommendations-paths-404`, `-slow-paths`: a second name shares the stem of the first.
  const documented = rows.flatMap((names) => {
    const [first = '', ...further] = [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const stem = first.split('-')[0]!;
    return [first, ...further.map((name) => (name.startsWith('-') ? `${stem}${name}` : name))];
  });
  expect(documented.toSorted()).toEqual(exportTypes.map(({ name }) => name).toSorted());
});
