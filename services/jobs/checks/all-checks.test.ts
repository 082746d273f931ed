import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gathered } from '../../../test/harness/jobs/check-facts.js';
import { checks } from './all-checks.js';

test('each has a unique id, a title, a weight from 1 to 10, and names its facts', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  for (const { id, title, weight, needs } of checks) {
    expect(id).toMatch(/^[a-z_]+$/);
    expect(title.length).toBeGreaterThan(5);
    expect(weight >= 1 && weight <= 10 && Number.isInteger(weight), id).toBe(true);
    expect(needs.length, id).toBeGreaterThan(0);
  }
});

test('every file of a check is in the list', () => {
  const folder = 'services/jobs/checks';
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const files = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const defined = files.flatMap((text) => /^ {2}id: '([a-z_]+)'/m.exec(text)?.[1] ?? []);
  expect(defined.sort()).toEqual(checks.map(({ id }) => id).sort());
});

test('a website without faults has no failed check and no warning', () => {
  const facts = gathered();
  const wrong = checks.filter(({ judge }) => !['pass', 'not_applicable'].includes(judge(facts).verdict));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
