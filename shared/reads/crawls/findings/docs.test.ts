import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crawlFindings } from './all-crawl-findings.js';

test('docs/crawl-audit.md tells every finding with its severity and its rule, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/crawl-audit.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \|/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(crawlFindings.map(({ key, severity, rule }) => [key, severity, rule]));
});
