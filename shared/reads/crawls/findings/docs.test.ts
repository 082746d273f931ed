import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crawlFindings } from './all-crawl-findings.js';

test('docs/crawls-and-checks.md has every finding with its severity and its rule, and no other', () => {
  const text = readFileSync('docs/crawls-and-checks.md', 'utf8');
  const [, section = ''] = text.split('\n## The audit of a crawl\n');
  const [audit = ''] = section.split('\n## ');
  const rows = [...audit.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \|/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(crawlFindings.map(({ key, severity, rule }) => [key, severity, rule]));
});
