import { describe, expect, test } from 'vitest';
import { type Rollup, rollupSource } from './rollup.js';

const hour = 3_600_000;
const start = Date.UTC(2026, 9, 30, 22, 30);
const scope = { websiteId: 'site', window: { start, end: start + 60 * hour }, countries: [], segment: null };

const visits: Rollup = {
  hourTable: 'visits_per_hour',
  dayTable: 'visits_per_day',
  filter: 'r.is_bot',
  dimensions: { country: 'r.country', status: 'r.status' },
  metrics: ['requests', 'client_ips'],
};

const withoutCountry: Rollup = { ...visits, dimensions: { status: 'r.status' } };

const tablesOf = (sql: string) => [...sql.matchAll(/FROM (\w+)/g)].map((match) => match[1]);
const byStatus = { dimensions: ['status'], metrics: ['requests'] } as const;

describe('rollupSource', () => {
  test('reads whole days and hours from the rollup and only the edges from the requests', () => {
    expect(tablesOf(rollupSource(visits, scope, byStatus).sql)).toEqual([
      'requests',
      'visits_per_hour',
      'visits_per_day',
      'visits_per_hour',
      'requests',
    ]);
  });

  test('a question by hour is never answered from days', () => {
    expect(tablesOf(rollupSource(visits, scope, { ...byStatus, byHour: true }).sql)).toEqual([
      'requests',
      'visits_per_hour',
      'requests',
    ]);
  });

  test('chosen countries that the rollup does not keep are read from the requests alone', () => {
    const countries = ['DE', 'FR'];
    const source = rollupSource(withoutCountry, { ...scope, countries }, byStatus);
    expect(tablesOf(source.sql)).toEqual(['requests']);
    expect(source.params).toMatchObject({ scope_countries: countries });
    expect(tablesOf(rollupSource(visits, { ...scope, countries }, byStatus).sql)).toContain('visits_per_day');
  });

  test('a segment is read from the requests alone, one piece of the whole window', () => {
    const hostile = "/x' OR 1 = 1 --";
    const segment = { rules: [{ type: 'prefix', value: hostile }], excludeRules: [] } as const;
    for (const question of [byStatus, { ...byStatus, byHour: true }]) {
      const source = rollupSource(visits, { ...scope, segment }, question);
      expect(tablesOf(source.sql)).toEqual(['requests']);
      expect(source.params).toMatchObject({
        scope_start_0: scope.window.start,
        scope_end_0: scope.window.end,
      });
      expect(source.sql).toContain('startsWith(r.path, ');
      expect(source.sql).not.toContain(hostile);
      expect(Object.values(source.params)).toContain(hostile);
    }
  });

  test('every part asks for the website first, and what the caller sent is bound, never written', () => {
    const hostile = "x' OR 1 = 1 --";
    const source = rollupSource(
      visits,
      { ...scope, websiteId: hostile, countries: [hostile] },
      { ...byStatus, where: { sql: 'status IN {statuses: Array(UInt16)}', params: { statuses: [404] } } },
    );
    const parts = source.sql.split('UNION ALL');
    expect(parts).toHaveLength(5);
    for (const part of parts) {
      expect(part).toMatch(/WHERE (r\.)?website_id = \{scope_website_id: String\} AND/);
      expect(part).toMatch(/country IN \{scope_countries: Array\(String\)\}/);
      expect(part).toContain('status IN {statuses: Array(UInt16)}');
    }
    expect(source.sql).not.toContain(hostile);
    const placeholders = [...source.sql.matchAll(/\{(\w+):/g)].map((match) => match[1]);
    expect(new Set(placeholders)).toEqual(new Set(Object.keys(source.params)));
  });

  test('only the raw edges are narrowed to what the view holds', () => {
    for (const part of rollupSource(visits, scope, byStatus).sql.split('UNION ALL')) {
      expect(part.includes('r.is_bot')).toBe(part.includes('FROM requests'));
    }
  });

  test('a rollup is not asked for what it does not keep', () => {
    expect(() => rollupSource(visits, scope, { dimensions: ['path'], metrics: ['bytes_sent'] })).toThrow(
      'visits_per_hour has no path, bytes_sent',
    );
  });
});
