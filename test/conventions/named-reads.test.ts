import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../services/api/operations/all-operations.js';

/** Report findings and check evidence refer only to existing reads. */

const folders = ['services/jobs/report/findings', 'services/jobs/checks'];
const paths = new Set(operations.filter(({ method }) => method === 'get').map(({ path }) => path));

const named = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const found = text.matchAll(
        /(?:GET |[`'" ])(\/(?:seo|recommendations|bots|alerts|llms|health|traffic|checks)[a-z0-9/-]*)/g,
      );
      return [...found].map(([, path]) => [name, path!] as const);
    }),
);

test('findings and checks name reads', () => expect(named.length).toBeGreaterThan(15));

test.each(named)('%s: %s', (_name, path) => {
  expect(paths).toContain(path);
});
