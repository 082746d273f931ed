import { expect, test } from 'vitest';
import { normalRule } from '../../control/aggregates/normal-rule.js';
import type { SegmentRule } from '../../control/domain/model.js';
import { type SegmentRules, segmentClause } from './segment-conditions.js';

const hostile = "x') OR 1 = 1 --";
const every: SegmentRule[] = (['prefix', 'contains', 'exact', 'regex', 'query'] as const).flatMap((type) => [
  { type, value: `${type} ${hostile}` },
  { type, value: `${type} {other: String}` },
]);
const segment: SegmentRules = { rules: every, excludeRules: every };

const placeholders = (sql: string) => [...sql.matchAll(/\{(\w+):/g)].map((match) => match[1]!);

test('customer text is bound, never part of the SQL, and every placeholder is bound once', () => {
  const { sql, params } = segmentClause(segment, 'segment');
  expect(sql).not.toContain('OR 1 = 1');
  expect(sql).not.toContain('other');
  const names = placeholders(sql);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(names)).toEqual(new Set(Object.keys(params)));
  expect(Object.values(params).flat().toSorted()).toEqual(
    // A regex for the stored path, and one for the decoded path.
    [...every, ...every]
      .flatMap((rule) => [normalRule(rule).value, ...(rule.type === 'regex' ? [rule.value] : [])])
      .toSorted(),
  );
});

test('the parameters of many segments in one query never share a name', () => {
  const names = ['segment', ...Array.from({ length: 100 }, (_, index) => `segment_${index}`)].flatMap(
    (name) => placeholders(segmentClause(segment, name).sql),
  );
  expect(new Set(names).size).toBe(names.length);
});

test('exact, contained and query texts are one engine call each, for any number of them', () => {
  const many = Array.from({ length: 30 }, (_, index) => `${index}`);
  for (const type of ['exact', 'contains', 'query'] as const) {
    const rules = many.map((value) => ({ type, value }));
    expect(Object.values(segmentClause({ rules, excludeRules: [] }, 's').params)).toEqual([many]);
  }
});
