import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatOptions } from './format-options.js';

it('has an option for every URL parameter of a source, and the guide names each', () => {
  const folder = new URL('../../services/ingest/sources/', import.meta.url);
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const read = code.flatMap((file) => [
    ...readFileSync(new URL(file, folder), 'utf8').matchAll(/query\.get\('([a-z]+)'\)/g),
  ]);
  const names = new Set(['source', ...read.map(([, name]) => name)]);
  expect([...names].toSorted()).toEqual(Object.keys(formatOptions).toSorted());
  const guide = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8');
  for (const name of names) expect(guide).toContain(`\`--${name}\``);
});
