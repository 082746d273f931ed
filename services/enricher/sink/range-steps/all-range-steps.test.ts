import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRangeSteps, type RangeStepDependencies } from './all-range-steps.js';

test('EXACTLY-ONCE.md lists the steps of a range by name, numbered in order from 2', () => {
  const text = readFileSync(new URL('../EXACTLY-ONCE.md', import.meta.url), 'utf8');
  const [first] = text.split('\n## ') as [string];
  const described = [...first.matchAll(/^\| (\d) +\| \*\*([a-z ]+)\*\*/gm)].map(([, number, name]) => [
    Number(number),
    name,
  ]);
  const steps = createRangeSteps({} as RangeStepDependencies).map(({ name }, place) => [place + 2, name]);
  expect(described).toEqual([[1, 'plan'], ...steps, [steps.length + 2, 'done']]);
});
