import { expect, test } from 'vitest';
import { brokenRules } from './broken-rules.js';

test('violations are grouped by crawler and rule, most requests first', () => {
  const violation = (bot_name: string, rule: string, requests: number, last_seen: string) => ({
    bot_name,
    rule,
    requests,
    last_seen,
  });
  const groups = brokenRules([
    violation('CCBot', 'Disallow: /blog/', 4, '2026-11-28T10:00:00Z'),
    violation('GPTBot', 'Disallow: /cart', 3, '2026-11-27T10:00:00Z'),
    violation('GPTBot', 'Disallow: /cart', 2, '2026-11-28T09:00:00Z'),
    violation('GPTBot', 'Disallow: /blog/', 1, '2026-11-26T10:00:00Z'),
  ]);
  expect(
    groups.map(({ bot_name, rule, requests, last_seen, paths }) => [
      bot_name,
      rule,
      requests,
      last_seen,
      paths.length,
    ]),
  ).toEqual([
    ['GPTBot', 'Disallow: /cart', 5, '2026-11-28T09:00:00Z', 2],
    ['CCBot', 'Disallow: /blog/', 4, '2026-11-28T10:00:00Z', 1],
    ['GPTBot', 'Disallow: /blog/', 1, '2026-11-26T10:00:00Z', 1],
  ]);
});
